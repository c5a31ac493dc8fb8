/** Browsers support passkeys only on secure pages with a host name, not on IP addresses. */
export const canUsePasskeys = (): boolean =>
  window.isSecureContext && 'PublicKeyCredential' in window && !/^[\d.]+$|:/.test(window.location.hostname)
