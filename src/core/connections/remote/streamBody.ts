import type { Readable } from 'node:stream';
import { EventStreamCleaner } from './eventStream';
import { EventReader, type Lifted, type ReadMessage } from './eventReader';

export interface StreamBodyOptions {
  /** The largest event, in bytes. */
  readonly messageBytes: number;
  readonly lifted: Lifted;
  readonly read: ReadMessage;
  /** What a failure while the body is read is reported as. */
  readonly failure: (error: unknown) => unknown;
  /** Called once where an event is too large. */
  readonly tooLarge: () => Error;
  /** Whether the body is to stay open for ever after that: its reader must not take it for one that broke off. */
  readonly staysOpen: () => boolean;
}

/** The events of a reply as the SDK takes them: their lines end with LF, and their messages have been read on the way. */
export function streamBody(
  source: Readable,
  { messageBytes, lifted, read, failure, tooLarge, staysOpen }: StreamBodyOptions,
): ReadableStream<Uint8Array> {
  const cleaner = new EventStreamCleaner(messageBytes, tooLarge);
  const events = new EventReader(lifted, read);
  /** Large events are read while the source is paused, so that what follows them waits. */
  let reading: Promise<void> | undefined;
  let isOpen = true;
  const close = (): void => {
    isOpen = false;
    events.dispose();
  };
  return new ReadableStream({
    start(controller) {
      const fail = (error: unknown): void => {
        if (isOpen) {
          close();
          if (!staysOpen()) {
            controller.error(error);
          }
        }
        source.destroy();
      };
      const pass = (bytes: Buffer | undefined): void => {
        if (isOpen && bytes && bytes.length > 0) {
          controller.enqueue(bytes);
        }
        if ((controller.desiredSize ?? 0) <= 0) {
          source.pause();
        }
      };
      const passLater = async (bytes: Promise<Buffer>): Promise<void> => {
        source.pause();
        try {
          pass(await bytes);
        } catch (error) {
          fail(error);
        }
        reading = undefined;
        if ((controller.desiredSize ?? 0) > 0) {
          source.resume();
        }
      };
      const take = (bytes: Buffer | Promise<Buffer> | undefined): void => {
        if (bytes instanceof Promise) {
          reading = passLater(bytes);
        } else {
          pass(bytes);
        }
      };
      source.on('data', (chunk: Buffer) => {
        try {
          take(events.take(cleaner.clean(chunk)));
        } catch (error) {
          fail(error);
        }
      });
      source.on('end', () => {
        const end = (): void => {
          if (isOpen) {
            isOpen = false;
            controller.close();
          }
        };
        if (cleaner.hasRest) {
          // Some servers end with their last event without the empty line that ends it.
          take(events.rest());
        }
        void (reading === undefined ? end() : reading.then(end));
      });
      source.on('error', (error) => {
        if (isOpen) {
          isOpen = false;
          controller.error(failure(error));
        }
      });
    },
    pull: () => {
      if (!reading) {
        source.resume();
      }
    },
    cancel: () => {
      close();
      source.destroy();
    },
  });
}
