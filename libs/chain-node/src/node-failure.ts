/** Why a node did not answer a question. */
export type FailureKind =
  /** It has had enough requests from us: later, or another node. */
  | 'throttled'
  | 'timeout'
  /** No connection, or one that broke: whether it saw the request is not known. */
  | 'unreachable'
  /** The caller's own signal. */
  | 'aborted'
  /** It does not have the block: not yet, or no longer. */
  | 'unknown-block'
  /** It has the block, but not the state after it, as a node that isn't an archive has it of the last 128 blocks only. */
  | 'state-gone'
  /** It doesn't say what is `safe` or `finalized`: blocks have to be counted instead. */
  | 'tag-unsupported'
  /** These are more blocks, or more logs, than it answers about at once: fewer have to be asked for. */
  | 'too-much'
  | 'nonce-too-low'
  /** It waits at that nonce with another transaction, whose fees are to be exceeded by a tenth or more. */
  | 'replacement-underpriced'
  /** Below what the next block or the pool asks for. */
  | 'underpriced'
  | 'insufficient-funds'
  | 'reverted'
  /** It refuses the transaction for another reason, which the detail names. */
  | 'rejected'
  | 'method-unsupported'
  | 'internal'
  /** What it answered can't be true: no number is taken from it. */
  | 'malformed-answer'
  /** It is a node of another chain. */
  | 'wrong-chain'
  /** A token's contract there is not as the list of tokens has it. */
  | 'wrong-token';

interface FailureParts {
  kind: FailureKind;
  /** The node's host. */
  node: string;
  /** The JSON-RPC method. */
  method: string;
  /** What was wrong, in our words, or in the node's, shortened. */
  detail: string;
  /** When the node asks to be left alone for a time. */
  retryAfterMs?: number;
}

const DETAIL_CHARACTERS_MAX = 300;

export class NodeFailure extends Error {
  readonly kind: FailureKind;
  readonly node: string;
  readonly method: string;
  readonly detail: string;
  readonly retryAfterMs?: number;

  constructor({ kind, node, method, detail, retryAfterMs }: FailureParts) {
    const shown = detail.length > DETAIL_CHARACTERS_MAX ? `${detail.slice(0, DETAIL_CHARACTERS_MAX)}…` : detail;
    super(`${node} (${method}): ${kind}: ${shown}`);
    this.name = 'NodeFailure';
    this.kind = kind;
    this.node = node;
    this.method = method;
    this.detail = shown;
    this.retryAfterMs = retryAfterMs;
  }
}

export const isNodeFailure = (error: unknown, ...kinds: readonly FailureKind[]): error is NodeFailure =>
  error instanceof NodeFailure && (kinds.length === 0 || kinds.includes(error.kind));
