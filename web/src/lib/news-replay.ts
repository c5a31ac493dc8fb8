/** What is heard while something is being read, for as long as anybody reads. */
export type NewsReplay<N> = {
  hear: (...news: N[]) => void
  /** Reads, and gives along what was heard meanwhile. */
  since: <P>(read: () => Promise<P>) => Promise<{ page: P; news: N[] }>
  /** Reads, and applies on top what was heard meanwhile, in its order. */
  during: <P>(read: () => Promise<P>, apply: (page: P, news: N) => P) => Promise<P>
}

/** News that comes while a page is on its way may be newer than that page: it is applied again on top. */
export function createNewsReplay<N>(): NewsReplay<N> {
  let readers = 0
  let heard: N[] = []
  async function since<P>(read: () => Promise<P>): Promise<{ page: P; news: N[] }> {
    const from = heard.length
    readers++
    try {
      const page = await read()
      return { page, news: heard.slice(from) }
    } finally {
      if (--readers === 0) heard = []
    }
  }
  return {
    since,
    hear(...news) {
      if (readers > 0) heard.push(...news)
    },
    async during(read, apply) {
      const { page, news } = await since(read)
      return news.reduce(apply, page)
    },
  }
}
