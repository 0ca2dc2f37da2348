/** Every local failure that code may branch on. Wire failures keep the SDK's own error classes and numbers. */
export type PorticoErrorCode =
  | 'CANCELLED'
  | 'TIMEOUT'
  | 'CONFIG_INVALID'
  | 'CONFIG_WRITE_FAILED'
  | 'VARIABLE_MISSING'
  | 'INPUT_MISSING'
  | 'SERVER_UNKNOWN'
  | 'SERVER_OFF'
  | 'SERVER_IS_PORTICO'
  | 'NOT_APPROVED'
  | 'RESTRICTED_MODE'
  | 'COMMAND_NOT_FOUND'
  | 'SPAWN_FAILED'
  | 'SERVER_EXITED'
  | 'START_TIMEOUT'
  | 'CONNECT_FAILED'
  | 'UNAUTHORIZED'
  | 'AUTH_FAILED'
  | 'ACCESS_DENIED'
  | 'RATE_LIMITED'
  | 'NO_MODEL'
  | 'MODEL_FAILED'
  | 'PROTOCOL_VERSION'
  | 'MESSAGE_TOO_LARGE'
  | 'REPLY_INVALID'
  | 'CONNECTION_LOST'
  | 'NOT_SUPPORTED'
  | 'TASK_LOST'
  | 'TOOL_UNKNOWN'
  | 'TOOL_UNUSABLE'
  | 'ARGUMENTS_INVALID'
  | 'CALL_DENIED'
  | 'PAGE_REQUIRED'
  | 'RESOURCE_UNKNOWN'
  | 'TEMPLATE_INVALID'
  | 'PROMPT_UNKNOWN'
  | 'PROMPT_FAILED'
  | 'RESOURCE_FAILED'
  | 'LISTENER_FAILED'
  | 'INTERNAL';

export interface PorticoErrorOptions {
  /** The config key of the server that this is about. */
  readonly server?: string;
  /** False for what the person caused themselves (a cancel) and need not be told. */
  readonly show?: boolean;
  readonly cause?: unknown;
}

/** A local failure: a code for the program, and a sentence that says what happened and what to do next. */
export class PorticoError extends Error {
  override readonly name = 'PorticoError';
  readonly server: string | undefined;
  readonly show: boolean;

  constructor(
    readonly code: PorticoErrorCode,
    message: string,
    options: PorticoErrorOptions = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.server = options.server;
    this.show = options.show ?? true;
  }

  static is(error: unknown, ...codes: PorticoErrorCode[]): error is PorticoError {
    return error instanceof PorticoError && (codes.length === 0 || codes.includes(error.code));
  }
}

/** The CLI's and the tree's form of a failure: `{code, message}`. Codes of the wire are the JSON-RPC number as text. */
export interface Problem {
  readonly code: string;
  readonly message: string;
}

/** Turns anything thrown into a problem; wire errors carry a numeric `code`, system errors a string one. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Error) {
    const code =
      'code' in error && (typeof error.code === 'string' || typeof error.code === 'number') ? error.code : undefined;
    return { code: String(code ?? 'INTERNAL'), message: error.message };
  }
  return { code: 'INTERNAL', message: String(error) };
}

/** The failure of an operation whose signal was aborted. */
export function cancelled(what: string): PorticoError {
  return new PorticoError('CANCELLED', `${what} was cancelled.`, { show: false });
}

/** Marks a switch as exhaustive: the compiler refuses a value that can still be something. */
export function assertNever(value: never): never {
  throw new PorticoError('INTERNAL', `Unexpected value ${JSON.stringify(value)}.`);
}
