import type { ServerResponse } from 'node:http';
import { isSpecType, type SubscriptionsListenRequest } from '@modelcontextprotocol/server';
import type { Disposable } from '../../base/disposable';

export function isListenRequest(body: unknown): body is SubscriptionsListenRequest {
  return isSpecType.SubscriptionsListenRequest(body);
}

/**
 * Watches the resources that a `subscriptions/listen` asks for until its stream ends (spec 2026-07-28:
 * basic/patterns/subscriptions). Gives the request without those that cannot be watched, so that they are not acknowledged.
 */
export async function watchForListen(
  request: SubscriptionsListenRequest,
  response: ServerResponse,
  watch: (uri: string) => Promise<Disposable>,
): Promise<SubscriptionsListenRequest> {
  const { notifications } = request.params;
  if (notifications.resourceSubscriptions === undefined) {
    return request;
  }
  const held: Disposable[] = [];
  let closed = false;
  response.once('close', () => {
    closed = true;
    held.forEach((item) => item.dispose());
  });
  const honoured: string[] = [];
  for (const uri of new Set(notifications.resourceSubscriptions)) {
    // What cannot be watched is left out of the acknowledgement, which says all that there is to say.
    const subscription = await watch(uri).catch(() => undefined);
    if (subscription !== undefined && closed) {
      subscription.dispose();
    } else if (subscription !== undefined) {
      held.push(subscription);
      honoured.push(uri);
    }
  }
  return {
    ...request,
    params: { ...request.params, notifications: { ...notifications, resourceSubscriptions: honoured } },
  };
}
