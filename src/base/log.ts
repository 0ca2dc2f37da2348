/** A log of one subject (Portico itself, or one server). Never give it environment values, headers or raw arguments. */
export interface Logger {
  trace(message: string): void;
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string, cause?: unknown): void;
}

/** One log per server beside Portico's own; in the editor each is an output channel. */
export interface LogFactory {
  readonly own: Logger;
  forServer(key: string): Logger;
}

export class NullLogger implements Logger {
  trace(): void {}
  debug(): void {}
  info(): void {}
  warn(): void {}
  error(): void {}
}

export class NullLogFactory implements LogFactory {
  readonly own: Logger = new NullLogger();
  forServer(): Logger {
    return this.own;
  }
}
