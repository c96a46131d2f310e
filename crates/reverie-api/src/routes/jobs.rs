//! What models are asked: jobs to look at and hurry, questions and answers for hosts with a model of their own.

use reverie_core::digest::Answer;
use reverie_core::job::Job;
use reverie_core::{Error, Result, WorldId};

use super::{page_of, world};
use crate::Api;
use crate::request::{Call, Reply};
use crate::wire::{
    AnswerBody, AnsweredView, JobView, ModelTestsView, Page, QuestionView, QuestionsView, TakeQuestions,
    filled, parse_time,
};

const MOST_QUESTIONS: usize = 100;
/// What a host says about its own trouble is kept and shown, so it is short.
const MOST_CODE: usize = 64;
const MOST_MESSAGE: usize = 1000;

pub(super) fn list(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let (after, limit) = page_of(api, call)?;
    let found = api.engine.jobs(&world(call)?, after, limit)?;
    let now_ms = api.engine.now_ms();
    let items: Vec<JobView> = found.items.into_iter().map(|job| view(api, now_ms, job)).collect();
    let next = items.last().filter(|_| found.has_more).map(|job| job.id.clone());
    Reply::ok(&Page { items, next })
}

pub(super) fn get(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let job = api.engine.job(&world(call)?, call.segment(1))?;
    Reply::ok(&view(api, api.engine.now_ms(), job))
}

fn view(api: &Api, now_ms: i64, job: Job) -> JobView {
    JobView::at(now_ms, job).held_up(&|purpose| api.held_up(purpose))
}

pub(super) fn retry(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let job = api.engine.retry_job(&world(call)?, call.segment(1))?;
    Reply::ok(&view(api, api.engine.now_ms(), job))
}

pub(super) fn take_questions(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let body: TakeQuestions = call.parse()?;
    let world = filled(body.world).as_deref().map(WorldId::new).transpose()?;
    if let Some(world) = &world {
        api.engine.world(world)?;
    }
    let limit = body.limit.unwrap_or(1);
    if !(1..=MOST_QUESTIONS).contains(&limit) {
        return Err(Error::invalid(format!("limit cannot be {limit}"))
            .hint(format!("use a whole number from 1 to {MOST_QUESTIONS}")));
    }
    let questions = api.engine.questions(world.as_ref(), limit)?;
    Reply::ok(&QuestionsView { questions: questions.into_iter().map(QuestionView::from).collect() })
}

pub(super) fn answer(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let body: AnswerBody = call.parse()?;
    let answer = match (body.text, body.failed) {
        (Some(text), None) => {
            let model = filled(body.model).unwrap_or_else(|| "unnamed".to_owned());
            Answer::Said { text, model: bounded("model", model, api.engine.limits().bytes_per_name)? }
        }
        (None, Some(failed)) => Answer::Failed {
            code: bounded("failed.code", failed.code, MOST_CODE)?,
            message: bounded("failed.message", failed.message, MOST_MESSAGE)?,
            not_before_ms: failed.not_before.as_deref().map(parse_time).transpose()?,
        },
        _ => {
            return Err(Error::invalid("what did the model say?")
                .hint("send either `text`, as the model wrote it, or `failed` with code and message"));
        }
    };
    let world = world(call)?;
    api.engine.world(&world)?;
    Reply::ok(&AnsweredView::from(api.engine.answer(&world, call.segment(1), answer)?))
}

fn bounded(field: &str, text: String, most: usize) -> Result<String> {
    if text.len() > most {
        return Err(Error::invalid(format!("{field} is {} bytes long", text.len()))
            .hint(format!("at most {most} bytes")));
    }
    Ok(text)
}

pub(super) fn test_models(api: &Api, _: &Call<'_>) -> Result<Reply> {
    let models = api.test_models.as_ref().map(|test| test()).unwrap_or_default();
    Reply::ok(&ModelTestsView { models })
}
