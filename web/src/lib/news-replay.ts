/** Records events while any request is running. */
export type NewsReplay<N> = {
  record: (...news: N[]) => void
  /** Runs the request and returns the events received meanwhile. */
  runWithNews: <P>(read: () => Promise<P>) => Promise<{ page: P; news: N[] }>
  /** Runs the request and applies the events received meanwhile to its result, in order. */
  runAndApply: <P>(read: () => Promise<P>, apply: (page: P, news: N) => P) => Promise<P>
}

/** Events received during a request may be newer than its result: they are applied again on top. */
export function createNewsReplay<N>(): NewsReplay<N> {
  let readers = 0
  let recordedNews: N[] = []
  async function since<P>(read: () => Promise<P>): Promise<{ page: P; news: N[] }> {
    const from = recordedNews.length
    readers++
    try {
      const page = await read()
      return { page, news: recordedNews.slice(from) }
    } finally {
      if (--readers === 0) recordedNews = []
    }
  }
  return {
    runWithNews: since,
    record(...news) {
      if (readers > 0) recordedNews.push(...news)
    },
    async runAndApply(read, apply) {
      const { page, news } = await since(read)
      return news.reduce(apply, page)
    },
  }
}
