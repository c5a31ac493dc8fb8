import { helpsApi } from '@recado/contract/helps'
import { records } from '../../kernel/data/records.ts'
import { resource, route } from '../../kernel/http/http.ts'

/** Videos of the platform, for everybody; the super user keeps them. */
const helps = records('helps', helpsApi, { platform: true })

export const helpRoutes = [...resource(helpsApi, helps), route(helpsApi.all, (scope) => helps.all(scope))]
