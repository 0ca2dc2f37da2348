import assert from 'node:assert/strict';
import type { CallToolResult, ElicitResult } from '@modelcontextprotocol/client';
import type {
  ElicitationRequest,
  ElicitationUi,
  Visit,
  VisitRequest,
} from '../../../../src/core/clientFeatures/clientFeatureTypes';
import { elicitationFeature } from '../../../../src/core/clientFeatures/elicitation';
import type { Launch } from '../../../../src/core/config/configTypes';
import type { Connection } from '../../../../src/core/connections/connectionTypes';
import { Validators } from '../../../../src/core/policy/validators';
import type { FakeClock } from '../connections/fakeClock';
import { connectionTo, FakeLogger, fixture, stopAll } from '../connections/testConnection';
import { eventually, WireTrace } from '../connections/until';

/** A question, as a test looks at it and answers it. */
export interface Asked<Request, Answer> {
  readonly request: Request;
  readonly signal: AbortSignal;
  answer(result: Answer): void;
}

/** Asks nobody: a test answers. */
export class FakeElicitationUi implements ElicitationUi {
  readonly asked: Asked<ElicitationRequest, ElicitResult>[] = [];
  /** Answers at once, where it is set. */
  always: ElicitResult | undefined;

  ask(request: ElicitationRequest, signal: AbortSignal): Promise<ElicitResult> {
    return new Promise((resolve) => {
      this.asked.push({ request, signal, answer: resolve });
      if (this.always) {
        resolve(this.always);
      }
    });
  }

  async question(index = 0): Promise<Asked<ElicitationRequest, ElicitResult>> {
    await eventually(() => this.asked.length > index);
    const asked = this.asked[index];
    assert(asked);
    return asked;
  }
}

/** Opens no page either. */
export class FakeVisitingUi extends FakeElicitationUi {
  readonly visits: Asked<VisitRequest, Visit>[] = [];

  visit(request: VisitRequest, signal: AbortSignal): Promise<Visit> {
    return new Promise((resolve) => this.visits.push({ request, signal, answer: resolve }));
  }

  async visited(index = 0): Promise<Asked<VisitRequest, Visit>> {
    await eventually(() => this.visits.length > index);
    const asked = this.visits[index];
    assert(asked);
    return asked;
  }
}

/** What the fixture says that it was told. */
export function told({ content }: CallToolResult): unknown {
  const [block] = content;
  return block?.type === 'text' ? JSON.parse(block.text) : block;
}

/** Connections to fixtures that ask a fake person. */
export class ElicitationBench<Ui extends ElicitationUi> {
  readonly log = new FakeLogger();
  readonly wire = new WireTrace();

  constructor(readonly ui: Ui) {}

  async connect(name: string, args: readonly string[] = [], clock?: FakeClock): Promise<Connection> {
    const validators = new Validators(this.log);
    const feature = elicitationFeature(
      this.ui,
      async (schema, value, what) => (await validators.checkFor(schema, 'input', what))(value),
      { own: this.log, forServer: () => this.log },
    );
    const launch = fixture(name, ...args) as Extract<Launch, { type: 'stdio' }>;
    const { connection } = connectionTo(
      { ...launch, env: this.wire.env },
      { dependencies: { features: [feature], ...(clock ? { clock } : {}) } },
    );
    await connection.start({ interactive: false });
    return connection;
  }

  async close(): Promise<void> {
    await stopAll();
    this.wire.dispose();
  }
}
