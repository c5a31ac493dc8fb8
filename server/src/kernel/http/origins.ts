export type OriginCheck = (origin: string | undefined, host: string | undefined) => boolean

/**
 * Whether a call may come from one of our pages: from an origin named by the operator, or from the requested host. Schemes
 * are not compared, because a proxy may terminate TLS without saying so; if a proxy drops the port from the Host header,
 * any port is accepted. A call without an Origin header was not made by a page of another site.
 */
export const makeOriginCheck =
  (named: string[]): OriginCheck =>
  (origin, host) => {
    if (origin === undefined || named.includes(origin)) return true
    if (!host || !URL.canParse(origin)) return false
    const page = new URL(origin)
    return page.host === host || page.hostname === host
  }
