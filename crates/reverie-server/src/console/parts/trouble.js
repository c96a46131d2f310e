// What went wrong, in the reader's language. The server speaks English, to people and to programs: by its code it is said here, and its own
// sentence stands below in small, where it says more. In English its sentence is the better one.

import { h } from "../dom.js";
import { WITH_ADVICE, translated } from "./translated.js";
import { has, language, t } from "../words.js";

/** Advice for those who write programs helps nobody who sits before a page. */
const FOR_PROGRAMS = /`Authorization: |\b(GET|PUT|POST|PATCH|DELETE|HEAD)\b|\/v1\/|\?\w+=/;

export const forPeople = (text) => (text && !FOR_PROGRAMS.test(text) ? text : "");

/** `words` for everybody, `detail` of the server (may be empty). What the console itself throws is in words already. */
export function trouble(error) {
  if (error?.status === 0) return { words: t("problem.unreachable"), detail: "" };
  if (error?.status === undefined) return { words: error?.message ?? String(error), detail: "" };
  const { status, code } = error;
  const [said, advice] = [forPeople(error.message), forPeople(error.hint)];
  if (said && language() === "en") return { words: said, detail: advice };
  return { words: has(`problem.${code}`) ? t(`problem.${code}`) : t("problem.status", { status }), detail: [said, advice].filter(Boolean).join(WITH_ADVICE) };
}

/** What the server says itself, in small; in Chinese where it is known what that is. */
export function serverWords(text) {
  if (!text) return text;
  const known = translated(text);
  return h("span", { class: "server-words", lang: known === null ? "en" : language() }, known ?? text);
}

/** The same for what is told besides an answer: of degraded things, of jobs and of what the server leans on; or only a sentence. */
export function noted(one) {
  const { code, message } = typeof one === "string" ? { message: one } : one;
  if (language() === "en") return message;
  const key = ["degraded", "trouble", "problem"].map((group) => `${group}.${code}`).find(has);
  return [key && t(key), serverWords(message)];
}

/** Both, for putting into a paragraph. */
export function inWords(error) {
  const { words, detail } = trouble(error);
  return [words, serverWords(detail)];
}
