// The studio's answers. Every address is relative to the page's own, which holds the token.

import { piece, store } from "./store.js";

export function query(more = {}) {
  const { at, variant, lang, theme } = store.looks;
  const given = Object.entries({ at, variant, lang, theme, ...more }).filter(([, value]) => value !== "" && value != null);
  return new URLSearchParams(given).toString();
}

export class Refusal extends Error {
  constructor(answer, status) {
    super(answer.message || (answer.problems || []).map((each) => `${each.code} ${each.message}`).join("\n"));
    this.problems = answer.problems || [];
    this.status = status;
  }
}

async function answered(response) {
  if (response.ok) return response.json();
  const text = await response.text();
  let answer = { message: text };
  try { answer = JSON.parse(text); } catch { /* words, not JSON */ }
  throw new Refusal(answer, response.status);
}

export const get = async (path, more) => answered(await fetch(`${path}?${query(more)}`));

export async function send(path, body, more, method = "POST") {
  const headers = { "content-type": "application/json" };
  return answered(await fetch(`${path}?${query(more)}`, { method, headers, body: JSON.stringify(body) }));
}

export const version = (key) => piece(key)?.version || "";

export const pictureUrl = (key, face = 0) => `picture/${face}/${encodeURIComponent(key)}?${query({ v: version(key) })}`;
export const faces = (key) => get(`faces/${encodeURIComponent(key)}`, { v: version(key) });
