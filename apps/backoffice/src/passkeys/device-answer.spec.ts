import { readAnswer, signedIn } from './device-answer';

const text = (content: string) => Buffer.from(content).toString('base64url');
const answerOf = (response: object) =>
  readAnswer({
    response: {
      id: text('passkey'),
      response: {
        clientDataJSON: text('{"challenge":"AAAA"}'),
        authenticatorData: 'AA_-',
        signature: 'AQ',
        ...response,
      },
    },
  }).answer;

it('what a device has signed is kept in base64', () => {
  expect(signedIn(answerOf({}))).toEqual({
    client_data: Buffer.from('{"challenge":"AAAA"}').toString('base64'),
    ...{ authenticator_data: 'AA/+', signature: 'AQ==' },
  });
});

it.each([
  { authenticatorData: text('x'.repeat(4_097)) },
  { signature: text('x'.repeat(4_097)) },
  ...[{ signature: 7 }, { authenticatorData: undefined }],
])('what no device would say is not kept: %#', (response) => {
  expect(signedIn(answerOf(response))).toBeUndefined();
});
