import { PorticoError } from '../../../base/errors';
import { ReplyLost } from '../replyLost';

const PRIVATE_CA =
  'If it comes from a private CA, trust that CA in the operating system, or name its file in NODE_EXTRA_CA_CERTS and restart the editor.';
const OF_SERVER = 'Whoever runs the server has to renew it.';

/** Codes of OpenSSL and Node that mean: it is the certificate. What is wrong with it, and what helps. */
const CERTIFICATE_FAULTS: Readonly<Record<string, readonly [string, string] | undefined>> = {
  CERT_HAS_EXPIRED: ['has expired', `${OF_SERVER} If the clock of this machine is wrong, set it.`],
  CERT_NOT_YET_VALID: ['is not valid yet', 'Check the clock of this machine.'],
  CERT_REJECTED: ['is not trusted for servers', PRIVATE_CA],
  CERT_REVOKED: ['was revoked', OF_SERVER],
  CERT_SIGNATURE_FAILURE: ['has a wrong signature', OF_SERVER],
  CERT_UNTRUSTED: ['is not trusted', PRIVATE_CA],
  DEPTH_ZERO_SELF_SIGNED_CERT: ['is signed by itself and not trusted', PRIVATE_CA],
  ERR_TLS_CERT_ALTNAME_INVALID: ['is for another host and not trusted', 'Check the host of its "url".'],
  INVALID_CA: ['comes from what is no CA and is not trusted', PRIVATE_CA],
  SELF_SIGNED_CERT_IN_CHAIN: ['comes from a CA that is not trusted', PRIVATE_CA],
  UNABLE_TO_GET_ISSUER_CERT: ['comes from a CA that is not known and not trusted', PRIVATE_CA],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: ['comes from a CA that is not known and not trusted', PRIVATE_CA],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: ['comes from a CA that is not known and not trusted', PRIVATE_CA],
};

/** Turns a failure of the network below HTTP into a sentence that names the server, the host and the next step. */
export function toNetworkError(error: unknown, url: URL, server: string): PorticoError {
  const code = codeOf(error);
  const { host } = url;
  const fail = (what: string): PorticoError =>
    new PorticoError('CONNECT_FAILED', `Server "${server}": ${what}`, { server, cause: error });
  const fault = CERTIFICATE_FAULTS[code];
  if (fault) {
    return fail(`the certificate of ${host} ${fault[0]} (${code}). ${fault[1]}`);
  }
  if (code.startsWith('ERR_SSL_') || code === 'EPROTO') {
    return fail(`${host} does not speak TLS (${code}). Check whether its "url" should begin with http://.`);
  }
  if (code === 'HPE_HEADER_OVERFLOW') {
    return fail(`${host} answers with more headers than are read (${code}). Look at the server's own log.`);
  }
  if (code.startsWith('HPE_') && code !== 'HPE_INVALID_CONSTANT') {
    return fail(
      `${host} answers in broken HTTP (${code}). Look at the server's own log, and at what stands between you and it.`,
    );
  }
  if (code === 'HPE_INVALID_CONSTANT') {
    return fail(`${host} does not answer in HTTP (${code}). Check the port and the scheme of its "url".`);
  }
  switch (code) {
    case 'ECONNREFUSED':
      return fail(`nothing listens at ${host} (${code}). Start the server, or check the port of its "url".`);
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return fail(`the host ${host} cannot be found (${code}). Check its "url" and the network.`);
    case 'ECONNRESET':
    case 'EPIPE':
      return new ReplyLost(
        `Server "${server}": ${host} closed the connection before its answer was complete (${code}). Look at the server's own log.`,
        server,
        error,
      );
    default:
      return fail(`${host} cannot be reached (${code || 'unknown error'}). Check its "url" and the network.`);
  }
}

/** The failure of a request to which a server answered by speaking something else from then on. */
export function switched({ host }: URL, server: string): PorticoError {
  return new PorticoError(
    'CONNECT_FAILED',
    `Server "${server}": ${host} wants to speak another protocol than HTTP (HTTP 101). Check its "url".`,
    { server },
  );
}

/** Node tries IPv6 and IPv4 and then reports both failures in one error. */
function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) {
    return codeOf(error.errors[0]);
  }
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
