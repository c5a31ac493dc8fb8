import { z } from 'zod'
import {
  defineRecord,
  del,
  get,
  idParams,
  isoDateTime,
  messageReply,
  post,
  put,
  ref,
  requiredName,
  requiredText,
} from '../endpoint.ts'

/** Sources of a prompt's knowledge: a written text, questions with answers, or a file. */
export const knowledgeKinds = ['text', 'pairs', 'file'] as const
export type KnowledgeKind = (typeof knowledgeKinds)[number]
export const knowledgeStates = ['waiting', 'reading', 'ready', 'failed', 'stopped'] as const
export type KnowledgeState = (typeof knowledgeStates)[number]
/** Extensions of the files that can be read. */
export const knowledgeFileExtensions = ['.pdf', '.docx', '.txt', '.md', '.csv'] as const
/** Maximum number of sources per prompt, and maximum file size. */
export const maxKnowledgePerPrompt = 100
export const maxKnowledgeFileBytes = 20 * 1024 * 1024

export const Knowledge = z.object({
  id: z.number(),
  promptId: z.number(),
  kind: z.enum(knowledgeKinds),
  /** For a file, the file name. */
  name: z.string(),
  /** `waiting` to be read, `reading`, `ready` for search, `failed` with its reason in `error`, or `stopped` by a user. */
  state: z.enum(knowledgeStates),
  /** Reading progress, in pages or pieces. */
  done: z.number(),
  total: z.number(),
  /** An error code, or ''. */
  error: z.string(),
  pieces: z.number(),
  /** How many times one of its pieces was sent to a model. */
  uses: z.number(),
  /** Bytes. */
  size: z.number(),
  createdAt: isoDateTime,
  updatedAt: isoDateTime,
})
export type Knowledge = z.infer<typeof Knowledge>

const QuestionAnswerPair = z.object({ question: requiredText(1, 1000), answer: requiredText(1, 10_000) })
export const KnowledgeDetail = Knowledge.extend({
  text: z.string(),
  pairs: z.array(z.object({ question: z.string(), answer: z.string() })),
})
export type KnowledgeDetail = z.infer<typeof KnowledgeDetail>

const knowledgeTextShape = { name: requiredName(2, 150), text: z.string().trim().max(200_000) }
const pairs = z.array(QuestionAnswerPair).max(1000)
export const KnowledgeWrite = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), ...knowledgeTextShape, text: knowledgeTextShape.text.min(1) }),
  z.object({ kind: z.literal('pairs'), name: knowledgeTextShape.name, pairs: pairs.min(1) }),
])
export type KnowledgeWrite = z.output<typeof KnowledgeWrite>

/** A piece found by search, with the words that it shares with the search question. */
export const KnowledgeHit = z.object({
  id: z.number(),
  knowledgeId: z.number(),
  name: z.string(),
  /** Position in the source: `p. 3` is a page of a document, `#12` a row or a piece. */
  place: z.string(),
  heading: z.string(),
  text: z.string(),
  /** Share of the question's words that the piece contains, from 0 to 1. */
  score: z.number(),
  marks: z.array(z.string()),
})
export type KnowledgeHit = z.infer<typeof KnowledgeHit>

const access = 'prompts-page:edit' as const
const plan = 'useOpenAi' as const
const promptParams = z.object({ promptId: ref('prompt') })
const params = idParams('knowledge')
const example = { kind: 'text' as const, name: 'Envíos', text: 'Enviamos a todo el país en tres días.' }
export const knowledgeApi = {
  ...defineRecord({ entity: 'knowledge', row: Knowledge, search: ['name'] }),
  list: get('/prompt/:promptId/knowledge', {
    about: 'List the knowledge sources of a prompt, by name',
    access,
    plan,
    params: promptParams,
    reply: z.array(Knowledge),
  }),
  show: get('/knowledge/:id', {
    about: 'One knowledge source, with its original content',
    access,
    plan,
    params,
    reply: KnowledgeDetail,
  }),
  create: post('/prompt/:promptId/knowledge', {
    about: 'Add a text, or questions with their answers, to the knowledge of a prompt',
    access,
    plan,
    params: promptParams,
    body: KnowledgeWrite,
    bytes: 15 * 1024 * 1024,
    example,
    reply: Knowledge,
  }),
  upload: post('/prompt/:promptId/knowledge/files', {
    about: 'Add files (pdf, docx, txt, md, csv) to the knowledge of a prompt: each is read in the background',
    access,
    plan,
    params: promptParams,
    upload: 'file',
    reply: z.array(Knowledge),
  }),
  update: put('/knowledge/:id', {
    about: 'Replace a text or its pairs. Of a file only the name can be changed: send it with either kind',
    access,
    plan,
    params,
    body: KnowledgeWrite,
    bytes: 15 * 1024 * 1024,
    example,
    reply: Knowledge,
  }),
  stop: post('/knowledge/:id/stop', {
    about: 'Stop reading a file: searches find nothing of it',
    access,
    plan,
    params,
    reply: Knowledge,
  }),
  remove: del('/knowledge/:id', { about: 'Delete a knowledge source', access, plan, params, reply: messageReply }),
  find: post('/prompt/:promptId/knowledge/find', {
    about: 'Preview what a prompt would find for this text; best match first',
    access,
    plan,
    params: promptParams,
    body: z.object({ text: requiredText(1, 4096) }),
    example: { text: '¿hacen envíos?' },
    reply: z.object({ pieces: z.array(KnowledgeHit) }),
  }),
}
