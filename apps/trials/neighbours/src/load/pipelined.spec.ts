import { AnswerCounter } from './pipelined';

const ANSWERS = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'.repeat(3) + 'HTTP/1.1 404 Not Found\r\n\r\n';

it.each([1, 2, 5, 11, 12, 13, 40, 1_000])('answers are counted once each, in parts of %i bytes', (bytes) => {
  const counter = new AnswerCounter();
  const found: string[] = [];
  for (let from = 0; from < ANSWERS.length; from += bytes)
    found.push(...counter.in(Buffer.from(ANSWERS.slice(from, from + bytes))));
  expect(found).toEqual(['200', '200', '200', '404']);
});
