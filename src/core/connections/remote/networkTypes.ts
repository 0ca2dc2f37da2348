/** How requests leave this machine; as the editor's settings `http.*` are at the time of asking. */
export interface NetworkSettings {
  /** Whether proxies are used at all. */
  readonly useProxy: boolean;
  /** The proxy that the person set; the environment's where empty. */
  readonly proxy: string;
  /** Hosts that are reached without a proxy, beside those of the environment. */
  readonly noProxy: readonly string[];
  /** Whether the certificate of a proxy reached by https is checked. */
  readonly strictProxy: boolean;
  /** Whether authorities that the operating system trusts are trusted. */
  readonly systemCertificates: boolean;
}

/** What holds without an editor: the environment alone. */
export const environmentNetwork: NetworkSettings = {
  useProxy: true,
  proxy: '',
  noProxy: [],
  strictProxy: true,
  systemCertificates: true,
};
