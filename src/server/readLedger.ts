import type { ReadonlySignal } from '@preact/signals-core';
import { type Clock, systemClock } from '../base/clock';
import { PorticoError } from '../base/errors';
import { isObject, type JsonObject } from '../base/jsonObject';
import { NewestList } from '../base/newestList';
import { shortCopy } from '../base/shortCopy';
import { type Asked, type LedgerEntry, type LedgerReader, maxLedgerEntries } from './ledgerTypes';
import { RefusedError } from './refusedError';

/** What an entry keeps of what a client wrote, in characters. */
const mostKept = { name: 1_000, part: 160, program: 100 } as const;

/** What clients were given, refused or failed to get, the newest first; bounded, and kept in memory alone. */
export class ReadLedger {
  readonly entries: ReadonlySignal<readonly LedgerEntry[]>;

  constructor(
    private readonly list = new NewestList<LedgerEntry>(maxLedgerEntries),
    private readonly clock: Clock = systemClock,
  ) {
    this.entries = list.items;
  }

  /** Runs a request and records what came of it, also where the result itself says that it failed or was refused. */
  async follow<T extends object>(asked: Asked, reader: LedgerReader, run: () => Promise<T>): Promise<T> {
    try {
      const result = await run();
      this.record(asked, reader, sizeOf(result), outcomeOf(result));
      return result;
    } catch (error) {
      this.record(asked, reader, 0, isRefusal(error) ? 'refused' : 'failed');
      throw error;
    }
  }

  /** The texts are the client's, of any length. */
  private record(
    { what, file, part, ...asked }: Asked,
    { client, program }: LedgerReader,
    bytes: number,
    outcome: LedgerEntry['outcome'],
  ): void {
    const id = (this.list.newest?.id ?? 0) + 1;
    this.list.add({
      ...asked,
      what: shortCopy(what, mostKept.name),
      ...(file === undefined ? {} : { file: shortCopy(file, mostKept.name) }),
      part: part && shortCopy(part, mostKept.part),
      id,
      at: this.clock.now(),
      client: client.label,
      program: program && shortCopy(program, mostKept.program),
      bytes,
      outcome,
    });
  }
}

/** A prompt's arguments in short; nothing where there are none. */
export function promptPart(args: Readonly<Record<string, string>>): string | undefined {
  const beginnings = Object.values(args)
    .slice(0, mostKept.part)
    .map((text) => text.slice(0, 2 * mostKept.part));
  return beginnings.join(' ').replaceAll(/\s+/g, ' ').slice(0, mostKept.part) || undefined;
}

function isRefusal(error: unknown): boolean {
  return error instanceof RefusedError || PorticoError.is(error, 'CALL_DENIED', 'RESTRICTED_MODE', 'NOT_APPROVED');
}

/** A person who refuses a change is told of in an ordinary result. */
function outcomeOf(result: object): LedgerEntry['outcome'] {
  const { isError, structuredContent } = result as { isError?: unknown; structuredContent?: unknown };
  if (isError) {
    return 'failed';
  }
  return isObject(structuredContent) && structuredContent['state'] === 'refused' ? 'refused' : 'given';
}

/** Bytes of the texts and the data that a result gives, as they are sent; structured values say the same once more. */
function sizeOf(result: object): number {
  const { contents, content, messages } = result as Readonly<Record<string, unknown>>;
  const blocks = [...listOf(contents), ...listOf(content), ...listOf(messages).map((message) => message['content'])];
  return blocks.filter(isObject).reduce((bytes, block) => bytes + sizeOfBlock(block), 0);
}

function sizeOfBlock({ text, blob, data, resource }: JsonObject): number {
  const own = [text, blob, data].filter((part) => typeof part === 'string');
  return own.reduce((bytes, part) => bytes + Buffer.byteLength(part), isObject(resource) ? sizeOfBlock(resource) : 0);
}

function listOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
