import { z } from 'zod'
import { get } from '../endpoint.ts'

/** An ad or post that made customers write. Texts and addresses are the vendor's; an address is http(s) or empty. */
export const Ad = z.object({
  id: z.number(),
  title: z.string(),
  body: z.string(),
  url: z.string(),
  /** The address of the ad's picture at the vendor. */
  picture: z.string(),
})
export type Ad = z.infer<typeof Ad>

/** How many ads a choice lists, newest first. */
export const maxListedAds = 500

export const adsApi = {
  list: get('/ads', {
    about: 'The ads and posts that brought customers, newest first, for filters',
    access: 'session',
    reply: z.object({ ads: z.array(Ad.pick({ id: true, title: true })) }),
  }),
}
