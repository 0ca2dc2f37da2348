import { stringifyInSlices } from '../../base/jsonPieces';
import { largerThan } from '../../base/jsonSize';
import { Sequencer } from '../../base/sequencer';

/** A message above this many characters, roughly, is not made a text at once. */
const LONG = 131_072;

/** Writes messages as lines, in order. A long one becomes text while everything else goes on; what comes after it waits. */
export class LineOutput {
  private readonly steps = new Sequencer();
  private waiting = 0;

  constructor(private readonly write: (line: string | Buffer) => void) {}

  async send(message: object): Promise<void> {
    const isLong = largerThan(message, LONG);
    if (!isLong && this.waiting === 0) {
      this.write(`${JSON.stringify(message)}\n`);
      return;
    }
    this.waiting += 1;
    try {
      await this.steps.run(async () => {
        const pieces = isLong ? await stringifyInSlices(message) : [JSON.stringify(message)];
        pieces.forEach((piece) => this.write(piece));
        this.write('\n');
      });
    } finally {
      this.waiting -= 1;
    }
  }
}
