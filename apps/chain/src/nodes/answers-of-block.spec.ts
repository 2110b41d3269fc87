import { AnswersOfBlock } from './answers-of-block';
import { WatchedNode } from './watched-node';

const node = (name: string) => ({ name }) as WatchedNode;
const [ONE, OTHER] = [node('one'), node('other')];
const [FIRST, SECOND] = ['0x01', '0x02'] as const;

describe('an answer of a block', () => {
  let answers: AnswersOfBlock;
  let asked: number;
  const question = (name: string, answer: () => number = () => asked) => ({
    question: name,
    ask: () => {
      asked += 1;
      return Promise.resolve().then(answer);
    },
  });

  beforeEach(() => {
    answers = new AnswersOfBlock();
    asked = 0;
  });

  it('is asked for once, also by two at a time', async () => {
    const both = [answers.of(ONE, FIRST, question('coins')), answers.of(ONE, FIRST, question('coins'))];
    expect(await Promise.all(both)).toEqual([1, 1]);
    expect(await answers.of(ONE, FIRST, question('coins'))).toBe(1);
  });

  it('is of one question, one node and one block', async () => {
    await answers.of(ONE, FIRST, question('coins'));
    expect(await answers.of(ONE, FIRST, question('tokens'))).toBe(2);
    expect(await answers.of(OTHER, FIRST, question('coins'))).toBe(3);
    expect(await answers.of(ONE, SECOND, question('coins'))).toBe(4);
    expect(await answers.of(ONE, FIRST, question('coins'))).toBe(5);
  });

  it('is not asked for where the node has given it by the way, as long as its block is the newest', async () => {
    answers.know(ONE, FIRST, 'in pool', 7);
    expect(await answers.of(ONE, FIRST, question('in pool'))).toBe(7);
    expect(await answers.of(ONE, SECOND, question('in pool'))).toBe(1);
  });

  it('is asked for again where the node failed', async () => {
    const failing = question('coins', () => {
      throw new Error('no answer');
    });
    await expect(answers.of(ONE, FIRST, failing)).rejects.toThrow('no answer');
    expect(await answers.of(ONE, FIRST, question('coins'))).toBe(2);
  });

  it('is asked for again where it is not one to keep', async () => {
    const absent = { ...question('in pool'), isKept: () => false };
    await answers.of(ONE, FIRST, absent);
    expect(await answers.of(ONE, FIRST, question('in pool'))).toBe(2);
  });
});
