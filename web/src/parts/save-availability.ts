import { type Availability, usersApi } from '@recado/contract/users'
import { callApi } from '../lib/api.ts'
import { toast } from '../lib/toast.ts'

/** Says whether a user takes tickets. Every browser gets the change as a live update. */
export const saveAvailability = (userId: number, availability: Availability, reason = ''): Promise<unknown> =>
  callApi(usersApi.setAvailability, { params: { id: userId }, body: { availability, reason } }).catch(toast.error)
