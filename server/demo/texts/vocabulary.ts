/** What the customers of one language are called, do and say. */
export type Vocabulary = {
  names: string[]
  cities: string[]
  /** Names of the extra info: city, company, birthday, document. */
  fields: string[]
  company: string[]
  lodges: string[]
  trips: string[]
  days: string[]
  rating: string
  thanks: string
  menu: string
  /** Conversations as `script.ts` reads them; `{first}` and its like are filled in. */
  scripts: string
}
