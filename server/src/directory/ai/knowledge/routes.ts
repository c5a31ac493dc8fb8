import { knowledgeApi } from '@recado/contract/ai/knowledge'
import { type Route, route } from '../../../kernel/http/routes.ts'
import { prompts } from '../prompts.ts'
import { findKnowledge } from './find-knowledge.ts'
import {
  createSource,
  findSource,
  listSources,
  removeSource,
  stopSource,
  updateSource,
  uploadSources,
} from './sources.ts'

/** Results shown in a test search. */
const maxShownPieces = 8

export const knowledgeRoutes: Route[] = [
  route(knowledgeApi.list, (scope, { params }) => listSources(scope, params.promptId)),
  route(knowledgeApi.show, (scope, { params }) => findSource(scope, params.id)),
  route(knowledgeApi.create, (scope, { params, body }) => createSource(scope, params.promptId, body)),
  route(knowledgeApi.upload, (scope, { params }, { uploads }) => uploadSources(scope, params.promptId, uploads)),
  route(knowledgeApi.update, (scope, { params, body }) => updateSource(scope, params.id, body)),
  route(knowledgeApi.stop, (scope, { params }) => stopSource(scope, params.id)),
  route(knowledgeApi.remove, async (scope, { params }) => {
    await removeSource(scope, params.id)
    return { message: 'deleted' }
  }),
  route(
    knowledgeApi.find,
    async (scope, { params, body }) => {
      await prompts.findRow(scope, params.promptId)
      return { pieces: await findKnowledge(scope, params.promptId, body.text, maxShownPieces) }
    },
    { transaction: false },
  ),
]
