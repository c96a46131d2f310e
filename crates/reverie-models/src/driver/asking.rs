//! How does one question go to a model, and its answer back?

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use reverie_core::digest::{Answer, Question};
use reverie_core::perspective::Role as CoreRole;
use reverie_core::{Answered, Code, Engine, Error as CoreError};

use super::shapes::shape;
use super::tally::add;
use super::{Driver, Step};
use crate::breaker::Millis;
use crate::budget::{NotBefore, Spent, signed};
use crate::chat::{Chat, ChatReply, ChatRequest, Finish, Role, Usage};
use crate::error::{Error, Kind};

/// So much of a lease is left for handing the answer back.
const FOR_THE_WAY_BACK_MS: Millis = 5_000;

impl Driver {
    /// Takes one question, asks, and gives the answer back.
    pub async fn step(&self) -> Step {
        let Some(chats) = self.chats() else { return Step::Nothing };
        if let Some(until_ms) = self.resting_until_ms() {
            return Step::Resting { until_ms };
        }
        let question = match self.on_engine(|engine| engine.questions(None, 1)).await {
            Ok(mut questions) => match questions.pop() {
                Some(question) => question,
                None => return Step::Nothing,
            },
            Err(error) => return Step::Trouble(error),
        };
        let chat = chats.of(question.purpose).clone();
        let request = request(&chat, &question);
        let estimate = chat.estimate(&request);
        if let Err(error) = self.look_up_spent().await {
            return Step::Trouble(error);
        }
        let take = || {
            let granted = self.budget.as_ref().map(|budget| budget.take(estimate)).transpose()?;
            Ok::<_, NotBefore>(granted.map(|granted| (granted, self.in_flight.take_off())))
        };
        let (granted, flight) = match self.in_flight.try_until_landed(self.time_for(&question), take).await {
            Ok(granted) => granted.unzip(),
            Err(not_before) => {
                self.broke_until_ms.store(not_before.0, Ordering::Relaxed);
                return self.give_back(question, NO_BUDGET, NO_BUDGET_LEFT.to_owned(), not_before.0).await;
            }
        };
        // Before it is spent, so that whoever dies in between has not asked for nothing.
        if let Some(granted) = granted
            && let Err(error) = self.write_spent(granted.hour(), signed(estimate)).await
        {
            self.budget.iter().for_each(|budget| budget.settle(granted, 0));
            return Step::Trouble(error);
        }
        let outcome = {
            let _asking = self.tally.asking();
            chat.ask_within(&request, self.time_for(&question)).await
        };
        let usage = self.count(&outcome, estimate, &request);
        if let (Some(budget), Some(granted)) = (&self.budget, granted) {
            budget.settle(granted, usage.total());
            let change = signed(usage.total()).saturating_sub(signed(estimate));
            if change != 0
                && let Err(error) = self.write_spent(granted.hour(), change).await
            {
                // The answer is worth more than the account of it, which errs on the safe side.
                return match self.take_answer(&chat, question, outcome).await {
                    Step::Asked(_) => Step::Trouble(error),
                    other => other,
                };
            }
        }
        drop(flight);
        self.take_answer(&chat, question, outcome).await
    }

    async fn take_answer(&self, chat: &Chat, question: Question, outcome: Result<ChatReply, Error>) -> Step {
        let answer = match outcome {
            Ok(reply) => said(chat, &question, reply),
            Err(error) if error.kind() == Kind::Resting => {
                let until_ms = self.not_before(&error).unwrap_or(0);
                return self.give_back(question, error.kind().as_str(), words(&error), until_ms).await;
            }
            Err(error) => {
                let not_before_ms = self.not_before(&error);
                Answer::Failed {
                    code: error.kind().as_str().to_owned(),
                    message: words(&error),
                    not_before_ms,
                }
            }
        };
        self.answer(question, answer).await
    }

    /// What was spent in this hour before we started.
    async fn look_up_spent(&self) -> reverie_core::Result<()> {
        let Some(budget) = self.budget.as_ref().filter(|_| !self.knows_spent.load(Ordering::Relaxed)) else {
            return Ok(());
        };
        self.write_spent(budget.spent().hour, 0).await?;
        self.knows_spent.store(true, Ordering::Relaxed);
        Ok(())
    }

    async fn write_spent(&self, hour: i64, tokens: i64) -> reverie_core::Result<()> {
        let Some(budget) = &self.budget else { return Ok(()) };
        let _in_turn = self.writing.lock().await;
        let all = self.on_engine(move |engine| engine.spend_tokens(hour, tokens)).await?;
        budget.learn(Spent { hour, tokens: all }, tokens);
        Ok(())
    }

    async fn answer(&self, question: Question, answer: Answer) -> Step {
        let taken = self.on_engine(move |engine| engine.answer(&question.world, &question.id, answer)).await;
        match taken {
            Ok(answered) => {
                self.note(&answered);
                Step::Asked(answered)
            }
            // The world was erased meanwhile.
            Err(error) if error.code() == Code::NotFound => {
                self.note(&Answered::Late);
                Step::Asked(Answered::Late)
            }
            Err(error) => Step::Trouble(error),
        }
    }

    async fn give_back(&self, question: Question, code: &str, message: String, until_ms: Millis) -> Step {
        add(&self.tally.given_back, 1);
        let answer = Answer::Failed { code: code.to_owned(), message, not_before_ms: Some(until_ms) };
        match self.on_engine(move |engine| engine.answer(&question.world, &question.id, answer)).await {
            Ok(_) => Step::GivenBack { until_ms },
            Err(error) => Step::Trouble(error),
        }
    }

    fn note(&self, answered: &Answered) {
        match answered {
            Answered::Taken { memories, rejected } => {
                add(&self.tally.answered, 1);
                add(&self.tally.memories, *memories as u64);
                add(&self.tally.rejected, *rejected as u64);
            }
            Answered::Again => add(&self.tally.failed, 1),
            Answered::Late => add(&self.tally.late, 1),
        }
    }

    /// What it cost: as the server counted, or else as estimated, unless nothing can have been spent.
    fn count(&self, outcome: &Result<ChatReply, Error>, estimate: u64, request: &ChatRequest) -> Usage {
        let output = u64::from(request.max_tokens.unwrap_or(0)).min(estimate);
        let estimated = Usage { input: estimate - output, output };
        let usage = match outcome {
            Ok(reply) => reply.usage.unwrap_or(estimated),
            Err(error) if may_have_cost(error.kind()) => estimated,
            Err(_) => Usage::default(),
        };
        add(&self.tally.input_tokens, usage.input);
        add(&self.tally.output_tokens, usage.output);
        usage
    }

    fn time_for(&self, question: &Question) -> Duration {
        let left = question.until_ms.saturating_sub(self.engine.now_ms()).saturating_sub(FOR_THE_WAY_BACK_MS);
        Duration::from_millis(u64::try_from(left).unwrap_or(0))
    }

    fn not_before(&self, error: &Error) -> Option<Millis> {
        let pause = Millis::try_from(error.retry_after()?.as_millis()).unwrap_or(Millis::MAX);
        Some(self.engine.now_ms().saturating_add(pause))
    }

    /// The engine works on a thread that may block.
    async fn on_engine<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Engine) -> reverie_core::Result<T> + Send + 'static,
    ) -> reverie_core::Result<T> {
        let engine = Arc::clone(&self.engine);
        let done = tokio::task::spawn_blocking(move || work(&engine)).await;
        done.unwrap_or_else(|_| Err(CoreError::new(Code::Internal, "asking met a defect of Reverie")))
    }
}

/// The code of a question that was given back because the tokens of the hour are spent.
pub const NO_BUDGET: &str = "no_budget";
const NO_BUDGET_LEFT: &str = "the tokens of this hour are spent; it is asked when the next hour begins, or raise models.tokens_per_hour";

fn request(chat: &Chat, question: &Question) -> ChatRequest {
    let role = |role: CoreRole| match role {
        CoreRole::System => Role::System,
        CoreRole::User => Role::User,
        CoreRole::Assistant => Role::Assistant,
    };
    let messages = question.messages.iter().map(|(of, text)| (role(*of), text.clone()));
    let mut request =
        ChatRequest::new(messages).shape(shape(question.purpose, question.json, chat.model.json));
    // Whoever configured a limit knows the model: one that thinks first needs more.
    let most = u32::try_from(question.most_tokens).unwrap_or(u32::MAX);
    request.max_tokens = Some(chat.model.max_output_tokens.unwrap_or(most));
    request
}

/// What was broken off is no telling of a day. Of JSON, all that matters may have come before the end.
fn said(chat: &Chat, question: &Question, reply: ChatReply) -> Answer {
    if reply.finish == Finish::Length && !question.json {
        return Answer::Failed {
            code: "broken_off".to_owned(),
            message:
                "the model was not done when it had said as much as it may; raise max_tokens of this model"
                    .to_owned(),
            not_before_ms: None,
        };
    }
    Answer::Said { text: reply.text, model: chat.model.model.clone() }
}

/// Message and hint are our own words: neither dialogue nor a secret is in them.
fn words(error: &Error) -> String {
    match error.hint_text() {
        Some(hint) => format!("{}; {hint}", error.message()),
        None => error.message().to_owned(),
    }
}

/// A server that refuses takes no money; one that breaks off may have.
fn may_have_cost(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::TimedOut | Kind::Cut | Kind::TooLarge | Kind::NotUnderstood | Kind::Empty | Kind::Filtered
    )
}
