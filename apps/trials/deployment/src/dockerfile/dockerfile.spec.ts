import { commandOf, parseDockerfile, variablesOf } from './dockerfile';

describe('a Dockerfile', () => {
  it('is read as stages with steps, continued lines as one', () => {
    const [base, app] = parseDockerfile(
      'FROM node:20.1.0 AS base\nENV A=1 B=2\n# a comment\nRUN one \\\n  # and another\n  two\nFROM base AS app\nCMD ["node"]\n',
    );
    const [env, run] = base?.steps ?? [];
    const [cmd] = app?.steps ?? [];
    expect(env && variablesOf(env)).toEqual({ A: '1', B: '2' });
    expect(run).toMatchObject({ rest: 'one two', line: 4 });
    expect(app?.from).toBe('base');
    expect(cmd && commandOf(cmd)).toEqual(['node']);
  });

  it.each([
    ['FROM a AS b\nADD x y', /Dockerfile:2: ADD is not understood/],
    ['FROM a AS b\nRUN --mount=type=secret,id=x y', /only cache mounts/],
    ['RUN x', /before the first FROM/],
    ['FROM a', /give the stage a name/],
  ])('that is not understood is refused by its line: %j', (text, why) =>
    expect(() => parseDockerfile(text)).toThrow(why),
  );

  it('has no shell between a signal and its program', () =>
    expect(() => commandOf({ rest: 'node main.js', line: 3 })).toThrow(/Dockerfile:3: write the command as a list/));
});
