import { notYetApi } from '@recado/contract/not-yet'
import { route } from '../kernel/http/http.ts'

export const notYetRoutes = [route(notYetApi.invoices, () => [])]
