import { call, type Habit, start } from './habit';
import { type Answer, openSickEndpoint } from './sickEndpoint';

const habit = (name: string, answer: () => Answer, use: Habit['use'], sees: RegExp, more: object = {}): Habit => ({
  name: `HTTP: ${name}`,
  open: async () => {
    const { url, close } = await openSickEndpoint(answer());
    return { entry: { type: 'http', url, ...more }, close };
  },
  use,
  sees,
});

const good = /^1 tool · \{\}$/;
const chunk = 'x'.repeat(1_048_576);

function refuseAll(status: number, text: string): () => Answer {
  return () => (_message, response) => {
    response.writeHead(status).end(text);
    return true;
  };
}

/** Does something else instead of answering a call, so many times. */
function onCalls(times: number, answer: Answer): () => Answer {
  return () => {
    let left = times;
    return (message, response, request) => {
      if (message.method !== 'tools/call' || left === 0) {
        return false;
      }
      left -= 1;
      return answer(message, response, request);
    };
  };
}

/** Bad habits of servers over HTTP. */
export const httpHabits: readonly Habit[] = [
  habit('wants a sign-in (401)', refuseAll(401, 'token please'), start, /^Sign in required/),
  habit('denies access (403)', refuseAll(403, 'not for you'), start, /not for you/),
  habit('server error (500)', refuseAll(500, 'the disk is full'), start, /^Failed: .*500.*the disk is full/),
  habit(
    'too many requests (429), Retry-After',
    onCalls(1, (_message, response) => {
      response.writeHead(429, { 'retry-after': '1' }).end();
      return true;
    }),
    call('echo'),
    good,
  ),
  habit('session forgotten (404)', forgetful, call('echo'), good),
  habit(
    'connection cut in the middle of an answer',
    onCalls(1, (_message, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write('{"jsonrpc":', () => response.destroy());
      return true;
    }),
    call('echo'),
    /closed the connection before its answer was complete/,
  ),
  habit(
    'call that is never answered',
    onCalls(1, () => true),
    call('echo'),
    /within 1 s/,
    { timeout: 1 },
  ),
  habit(
    'stream of 200 MB without an end',
    onCalls(1, (_message, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      let count = 0;
      const more = (): void => {
        while (count < 200 && !response.destroyed) {
          count += 1;
          if (!response.write(count === 1 ? `data: ${chunk}` : chunk)) {
            response.once('drain', more);
            return;
          }
        }
        response.end();
      };
      more();
      return true;
    }),
    call('echo'),
    /64 M/,
  ),
  habit(
    'a web page instead',
    () => (_message, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>');
      return true;
    },
    start,
    /^Failed: .*not MCP/,
  ),
  habit(
    'redirect to another origin',
    () => (_message, response) => {
      response.writeHead(307, { location: 'http://127.0.0.1:9/mcp' }).end();
      return true;
    },
    start,
    /^Failed: .*has moved to another origin/,
    { headers: { Authorization: 'Bearer secret' } },
  ),
  {
    name: 'HTTP: nothing listens',
    open: async () => {
      const { url, close } = await openSickEndpoint(() => false);
      await close();
      return { entry: { type: 'http', url } };
    },
    use: start,
    sees: /^Failed: ./,
  },
];

/** Gives sessions, and forgets the first one before its first call. */
function forgetful(): Answer {
  let count = 0;
  return ({ method }, response, { headers }) => {
    if (method === 'initialize') {
      count += 1;
      response.setHeader('mcp-session-id', `s${count}`);
    } else if (method === 'tools/call' && headers['mcp-session-id'] === 's1') {
      response.writeHead(404).end();
      return true;
    }
    return false;
  };
}
