import type { Clock } from '../../base/clock';
import type { Logger } from '../../base/log';
import type { Hub, ServerView } from '../../core/hubTypes';

/** How long the lists wait for a server that was never seen, all together, in milliseconds. */
const waitMs = 1_000;

interface FirstSightPorts {
  readonly hub: Hub;
  readonly log: Logger;
  readonly clock: Clock;
}

/** Starts a server of which nothing is known, so that it can be listed. */
export class FirstSight {
  private readonly waits = new WeakMap<ServerView, { readonly launch: string; readonly waited: Promise<void> }>();

  constructor(private readonly ports: FirstSightPorts) {}

  /**
   * Settles at once for a server that was seen, else when it is there or has had its time. Once per launch: a server
   * that failed is not started again by every message, but an edited entry is.
   */
  of(view: ServerView): Promise<void> {
    const { tools, resources, templates, prompts } = view.lists.peek();
    if ([tools, resources, templates, prompts].some((list) => list.from !== 'none')) {
      return Promise.resolve();
    }
    const launch = view.definition.launchDigest;
    const known = this.waits.get(view);
    if (known?.launch === launch) {
      return known.waited;
    }
    const { hub, log } = this.ports;
    const started = hub
      .start(view.id, { interactive: false, forUse: true })
      .catch((error: unknown) => log.info(`${view.definition.key} was not started to be listed: ${String(error)}`));
    const waited = Promise.race([started, this.wait()]);
    this.waits.set(view, { launch, waited });
    return waited;
  }

  private wait(): Promise<void> {
    return new Promise((resolve) => {
      this.ports.clock.after(waitMs, resolve);
    });
  }
}
