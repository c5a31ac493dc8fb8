import { helpsApi } from '@recado/contract/helps'
import { makeRecords } from '../../kernel/data/records.ts'
import { crudRoutes, route } from '../../kernel/http/routes.ts'

/** Videos of the platform, for everybody; the super user keeps them. */
const helps = makeRecords('helps', helpsApi, { platform: true })

export const helpRoutes = [...crudRoutes(helpsApi, helps), route(helpsApi.all, (scope) => helps.all(scope))]
