// Words that this code once had for things which the field has a name for, and what is said instead. Two kinds: names of
// things in code, and words of sentences. npm run tidy refuses them; old-words.ts says how they are looked for. A rename
// over the whole tree has to leave this file out.

export interface OldWord {
  word: string;
  /** What is said instead. */
  instead: string;
  /** An exact form that is a name outside of this code (a variable, a field on the wire) and stays. */
  stays?: string;
}

/** Names in code. Those of several words are looked for as identifiers and as names of files. */
export const OLD_NAMES: readonly OldWord[] = [
  { word: 'ClosedDoor', instead: 'LoadShedder' },
  { word: 'BeginInTurns', instead: 'RequestScheduler, scheduleRequests' },
  { word: 'RequestsUnderWay', instead: 'InFlightLimiter', stays: 'REQUESTS_UNDER_WAY_MAX' },
  { word: 'Lateness', instead: 'EventLoopLag' },
  { word: 'Places', instead: 'ConcurrencyLimiter' },
  { word: 'WaitingCalls', instead: 'Bulkheads' },
  { word: 'ReluctantMembers', instead: 'UnresponsiveInstances' },
  { word: 'TakeLeave', instead: 'deregister' },
  { word: 'PayoutBooks', instead: 'PayoutStore' },
  { word: 'ToldPayout', instead: 'AcceptedPayout' },
  { word: 'OutageTurns', instead: 'RetryBackoff' },
  { word: 'OutageBackoff', instead: 'RetryBackoff' },
  { word: 'FactDesk', instead: 'FactProcessor' },
  { word: 'CustomerDesk', instead: 'CustomerAdministration' },
  { word: 'ImpatientClient', instead: 'a client with an answer timeout' },
  { word: 'IsInsteadOf', instead: 'IsExclusiveWith' },
  { word: 'BeginAtZero', instead: 'initializeSeries' },
  { word: 'NothingDone', instead: 'notExecuted', stays: 'nothing_done' },
];

/** Words of sentences, whatever their case. They name no actor, or say by a picture what has a name. */
export const OLD_WORDS: readonly OldWord[] = [
  { word: 'nobody', instead: 'the actor: no service, no merchant, no other instance' },
  { word: 'whoever', instead: 'the actor: the caller that, the instance that' },
  { word: 'striker', instead: 'killService' },
  { word: 'stranger', instead: 'otherMerchant, another merchant' },
];
