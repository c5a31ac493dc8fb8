/** Browsers give passkeys to names and to secure pages alone, not to bare addresses. */
export const canUsePasskeys = (): boolean =>
  window.isSecureContext && 'PublicKeyCredential' in window && !/^[\d.]+$|:/.test(window.location.hostname)
