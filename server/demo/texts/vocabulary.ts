/** Names, activities and texts of the customers of one language. */
export type Vocabulary = {
  names: string[]
  cities: string[]
  /** Names of the extra fields: city, company, birthday, document. */
  fields: string[]
  company: string[]
  lodges: string[]
  trips: string[]
  days: string[]
  rating: string
  thanks: string
  menu: string
  /** Conversations in the format of `script.ts`; `{first}` and other placeholders are filled in. */
  scripts: string
}
