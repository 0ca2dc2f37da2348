import { type LogOutputChannel, window } from 'vscode';
import type { Disposable } from '../../base/disposable';
import type { LogFactory, Logger } from '../../base/log';

/** An output channel that comes into being with its first line: a server that never ran has none. */
class ChannelLogger implements Logger, Disposable {
  private channel: LogOutputChannel | undefined;

  constructor(private readonly name: string) {}

  trace(message: string): void {
    this.open().trace(message);
  }

  debug(message: string): void {
    this.open().debug(message);
  }

  info(message: string): void {
    this.open().info(message);
  }

  warn(message: string): void {
    this.open().warn(message);
  }

  error(message: string, cause?: unknown): void {
    if (cause === undefined) {
      this.open().error(message);
    } else {
      this.open().error(message, cause instanceof Error ? (cause.stack ?? cause.message) : String(cause));
    }
  }

  show(): void {
    this.open().show(true);
  }

  dispose(): void {
    this.channel?.dispose();
    this.channel = undefined;
  }

  private open(): LogOutputChannel {
    this.channel ??= window.createOutputChannel(this.name, { log: true });
    return this.channel;
  }
}

/** Portico's own output channel and one per server. None is ever shown unasked. */
export class EditorLogs implements LogFactory, Disposable {
  private readonly loggers = new Map<string, ChannelLogger>();
  readonly own: Logger = this.channel('Portico');

  forServer(key: string): Logger {
    return this.channel(`Portico: ${key}`);
  }

  /** Shows a server's log, or Portico's own. The focus stays where it is. */
  show(key?: string): void {
    this.channel(key === undefined ? 'Portico' : `Portico: ${key}`).show();
  }

  dispose(): void {
    for (const logger of this.loggers.values()) {
      logger.dispose();
    }
    this.loggers.clear();
  }

  private channel(name: string): ChannelLogger {
    let logger = this.loggers.get(name);
    if (!logger) {
      logger = new ChannelLogger(name);
      this.loggers.set(name, logger);
    }
    return logger;
  }
}
