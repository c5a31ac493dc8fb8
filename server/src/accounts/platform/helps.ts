import { helpsApi } from '@recado/contract/helps'
import { makeRecords } from '../../kernel/data/records.ts'
import { crudRoutes, route } from '../../kernel/http/routes.ts'

/** Platform videos for everybody, managed by the super user. */
const helps = makeRecords('helps', helpsApi, { platform: true })

export const helpRoutes = [...crudRoutes(helpsApi, helps), route(helpsApi.all, (scope) => helps.listAll(scope))]
