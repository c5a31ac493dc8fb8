import pg from 'pg'

/** The SQL of a statement, as passed to the database client. */
const statementText = (asked: unknown): string =>
  typeof asked === 'string' ? asked : String((asked as { text?: string } | null)?.text ?? '')

/**
 * Runs the work and cuts the connection once, right after the database has executed the `meant` statement and before its
 * answer. `meant` gets the SQL, and whether the same connection has run the `mark` before.
 */
export async function cutConnectionAfter<T>(
  mark: string,
  meant: (text: string, isMarked: boolean) => boolean,
  work: () => Promise<T>,
): Promise<T> {
  const real = pg.Client.prototype.query
  const marked = new WeakSet<pg.Client>()
  let isSevered = false
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    const text = statementText(given[0])
    if (text.includes(mark)) marked.add(this)
    const answer: unknown = Reflect.apply(real, this, given)
    if (isSevered || !(answer instanceof Promise) || !meant(text, marked.has(this))) return answer
    isSevered = true
    return answer.then(() => {
      const { stream } = Reflect.get(this, 'connection') as { stream: { destroy(): void } }
      stream.destroy()
      throw new Error('Connection terminated unexpectedly')
    })
  } as typeof real
  try {
    return await work()
  } finally {
    pg.Client.prototype.query = real
  }
}

/**
 * Makes the database refuse statements that match `meant`, like a database that is just starting, until `end` is
 * called.
 */
export function refuseQueries(meant: (text: string) => boolean) {
  const real = pg.Client.prototype.query
  let times = 0
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    if (!meant(statementText(given[0]))) return Reflect.apply(real, this, given)
    times++
    return Promise.reject(Object.assign(new Error('the database system is starting up'), { code: '57P03' }))
  } as typeof real
  return {
    /** How often a statement was refused. */
    times: () => times,
    end: (): void => {
      pg.Client.prototype.query = real
    },
  }
}
