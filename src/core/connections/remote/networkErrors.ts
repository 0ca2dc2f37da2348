import { PorticoError } from '../../../base/errors';
import { ReplyLost } from '../replyLost';

/** Codes of OpenSSL and Node that mean: it is the certificate. */
const CERTIFICATE_CODES = new Set([
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_REJECTED',
  'CERT_REVOKED',
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'INVALID_CA',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** Turns a failure of the network below HTTP into a sentence that names the server, the host and the next step. */
export function toNetworkError(error: unknown, url: URL, server: string): PorticoError {
  const code = codeOf(error);
  const { host } = url;
  const fail = (what: string): PorticoError =>
    new PorticoError('CONNECT_FAILED', `Server "${server}": ${what}`, { server, cause: error });
  if (CERTIFICATE_CODES.has(code)) {
    return fail(
      `the certificate of ${host} is not trusted (${code}). ` +
        "If it comes from a private CA, name that CA's file in NODE_EXTRA_CA_CERTS and restart the editor.",
    );
  }
  if (code.startsWith('ERR_SSL_') || code === 'EPROTO') {
    return fail(`${host} does not speak TLS (${code}). Check whether its "url" should begin with http://.`);
  }
  if (code.startsWith('HPE_')) {
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

/** Node tries IPv6 and IPv4 and then reports both failures in one error. */
function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) {
    return codeOf(error.errors[0]);
  }
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
