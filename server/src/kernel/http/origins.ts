export type OriginCheck = (origin: string | undefined, host: string | undefined) => boolean

/**
 * Whether a call may have been made by a page of ours: those named by the operator, and those of the host that was
 * called. Schemes are not compared, because a proxy may end TLS without saying so; a proxy that drops the port from
 * the Host header is believed for any port. Without an Origin header no page of another site made the call.
 */
export const makeOriginCheck =
  (named: string[]): OriginCheck =>
  (origin, host) => {
    if (origin === undefined || named.includes(origin)) return true
    if (!host || !URL.canParse(origin)) return false
    const page = new URL(origin)
    return page.host === host || page.hostname === host
  }
