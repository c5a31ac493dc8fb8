import { z } from 'zod'
import { get, listQuery } from './kit.ts'

/**
 * Lists that clients of this family read on every page they open, of what Recado does not have yet: they are empty, and
 * each goes from here to a file of its own when it gets rows. No plan is asked for: those clients look at none.
 */
const query = listQuery.partial()
export const notYetApi = {
  invoices: get('/invoices/all', {
    about: 'What the company has to pay: there are no invoices yet',
    access: 'financeiro-page:pay',
    whenExpired: true,
    query,
    reply: z.array(z.object({})),
  }),
}
