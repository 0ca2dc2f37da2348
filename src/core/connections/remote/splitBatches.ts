const EVENT_END = '\n\n';
const OTHER_KIND = /^event:(?! ?message$)/;

/**
 * Gives each message of a batch an event of its own: 2025-03-26 allows batches on a stream, where the SDK reads single
 * messages alone. Lines end with LF alone here (`EventStreamCleaner`).
 */
export function splitBatches(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const encoder = new TextEncoder();
  // Joined only when an event is complete, so that a large one is not copied with every chunk.
  let pending: string[] = [];
  let lastCharacter = '';
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        const text = decoder.decode(chunk, { stream: true });
        const isComplete = (lastCharacter + text).includes(EVENT_END);
        pending.push(text);
        lastCharacter = text.at(-1) ?? lastCharacter;
        if (isComplete) {
          const whole = pending.join('');
          const end = whole.lastIndexOf(EVENT_END) + EVENT_END.length;
          pending = [whole.slice(end)];
          const events = whole.slice(0, end).split(EVENT_END).map(splitEvent);
          controller.enqueue(encoder.encode(events.join(EVENT_END)));
        }
      },
      flush: (controller) => controller.enqueue(encoder.encode(pending.join('') + decoder.decode())),
    }),
  );
}

function splitEvent(event: string): string {
  const lines = event.split('\n');
  const isData = (line: string): boolean => line.startsWith('data:');
  const messages = parseBatch(
    lines
      .filter(isData)
      .map((line) => line.slice('data:'.length))
      .join('\n'),
  );
  if (!messages || lines.some((line) => OTHER_KIND.test(line))) {
    return event;
  }
  const last = messages.length - 1;
  // The id stands with the last one: a stream is resumed after the whole batch.
  return messages
    .map((message, index) => [
      ...(index === last ? lines.filter((line) => !isData(line)) : []),
      `data: ${JSON.stringify(message)}`,
    ])
    .map((parts) => parts.join('\n'))
    .join(EVENT_END);
}

function parseBatch(data: string): readonly unknown[] | undefined {
  if (!data.trimStart().startsWith('[')) {
    return undefined;
  }
  try {
    const value: unknown = JSON.parse(data);
    return Array.isArray(value) && value.length > 0 ? value : undefined;
  } catch {
    // The SDK reads it again and reports it.
    return undefined;
  }
}
