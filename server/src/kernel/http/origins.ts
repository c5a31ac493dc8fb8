export type OriginCheck = (origin: string | undefined, host: string | undefined) => boolean

/**
 * Whether a call may come from a page of ours: origins named by the operator, and those of the requested host.
 * Schemes are not compared, because a proxy may terminate TLS without saying so; if a proxy drops the port from
 * the Host header, any port is accepted. Without an Origin header no page of another site made the call.
 */
export const makeOriginCheck =
  (named: string[]): OriginCheck =>
  (origin, host) => {
    if (origin === undefined || named.includes(origin)) return true
    if (!host || !URL.canParse(origin)) return false
    const page = new URL(origin)
    return page.host === host || page.hostname === host
  }
