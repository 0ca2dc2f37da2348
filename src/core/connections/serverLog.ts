import type { LoggingLevel } from '@modelcontextprotocol/client';
import type { Clock } from '../../base/clock';
import type { Disposable } from '../../base/disposable';
import { largerThan } from '../../base/jsonSize';
import type { Logger } from '../../base/log';
import { plainText } from '../../base/plainText';
import { SecondQuota } from './secondQuota';

const LONGEST = 4_000;
/** Of structured data, no more than this is written down to be cut. */
const LONGEST_JSON = 100_000;
const MOST_LINES = 60;
const LONGEST_NAME = 100;
/** Messages that are written of each second; the others are counted. */
const MOST_MESSAGES = 200;

type Channel = 'debug' | 'info' | 'warn' | 'error';

/** The levels of RFC 5424 (spec: server/utilities/logging) and what a log here calls them. */
const CHANNELS: Readonly<Record<LoggingLevel, Channel>> = {
  debug: 'debug',
  info: 'info',
  notice: 'info',
  warning: 'warn',
  error: 'error',
  critical: 'error',
  alert: 'error',
  emergency: 'error',
};
/** Those that have a channel of their own need not be named in the line. */
const OWN: ReadonlySet<unknown> = new Set(['debug', 'info', 'warning', 'error']);

function isLevel(level: unknown): level is LoggingLevel {
  return typeof level === 'string' && Object.hasOwn(CHANNELS, level);
}

/** What a server says (`notifications/message`), in its log at its level; a flood is cut, and the cut is told. */
export class ServerLog implements Disposable {
  private readonly quota: SecondQuota;

  constructor(
    private readonly log: Logger,
    clock: Clock,
  ) {
    this.quota = new SecondQuota(clock, MOST_MESSAGES, (left) =>
      log.warn(`${left} more messages of the server were left out; it sent them within a second.`),
    );
  }

  write({ level, logger, data }: Readonly<Record<string, unknown>>): void {
    if (!this.quota.take()) {
      return;
    }
    const from = typeof logger === 'string' && logger !== '' ? plainText(logger.slice(0, LONGEST_NAME)) : 'server';
    const known = isLevel(level) ? level : 'info';
    const exact = OWN.has(known) ? '' : ` (${known})`;
    this.log[CHANNELS[known]](`${from}${exact}: ${textOf(data)}`);
  }

  dispose(): void {
    this.quota.dispose();
  }
}

/** Text as it is, with what follows its first line set in, so that it cannot look like a line of somebody else. */
function textOf(data: unknown): string {
  const text = typeof data === 'string' ? data : jsonOf(data);
  const short = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  return short
    .split(/\r\n|[\n\r]/, MOST_LINES)
    .map(plainText)
    .join('\n    ');
}

function jsonOf(data: unknown): string {
  return largerThan(data, LONGEST_JSON)
    ? `(data of more than ${LONGEST_JSON} characters, left out)`
    : (JSON.stringify(data) ?? '');
}
