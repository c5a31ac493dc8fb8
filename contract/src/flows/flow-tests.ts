import { z } from 'zod'
import {
  bodyLimitBytes,
  del,
  dictionary,
  get,
  idParams,
  messageReply,
  post,
  put,
  ref,
  requiredName,
} from '../endpoint.ts'
import { languages } from '../users.ts'
import { askedFileKinds, stepId } from './flow-steps.ts'
import { maxVariableLength, variableName } from './flow-variables.ts'

export const maxTestsPerFlow = 50
export const maxTestEntries = 60
const maxTraceLines = 500

/** Who writes in a test, and what holds meanwhile. */
export const TestScene = z.object({
  name: requiredName(1, 60).default('Ana'),
  language: z.enum(languages).default('es'),
  isOpen: z.boolean().default(true),
  tagIds: z.array(ref('tag')).max(20).default([]),
  /** Whether calls of other systems fail; else they reply with `values`. */
  callsFail: z.boolean().default(false),
  /** What a call, a program or another flow gives, by variable. */
  values: dictionary(40, variableName, z.string().max(maxVariableLength)).default({}),
})
export type TestScene = z.infer<typeof TestScene>

/** What happens next in a test. */
export const TestEntry = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('message'),
    text: z.string().max(1024).default(''),
    /** The pressed button. */
    optionId: stepId.nullable().default(null),
    file: z.enum(askedFileKinds).nullable().default(null),
    place: z.boolean().default(false),
  }),
  /** The time of the wait is over. */
  z.object({ kind: z.literal('time') }),
])
export type TestEntry = z.infer<typeof TestEntry>

/**
 * The way of a test through the flow: each step it reached, and how it ended. Texts are not part of it: a better wording
 * breaks no test.
 */
const Trace = z.array(z.string().max(60)).max(maxTraceLines)

export const FlowTestWrite = z.object({
  name: requiredName(1, 80),
  scene: TestScene,
  entries: z.array(TestEntry).max(maxTestEntries),
  trace: Trace,
})
export const FlowTest = FlowTestWrite.extend({ id: z.number() })
export type FlowTest = z.infer<typeof FlowTest>

const params = idParams('flow')
const path = '/flows/:id/tests'
const edit = 'flows-page:edit' as const
const testParams = params.extend({ testId: ref('flowTest') })
const example = {
  name: 'Reaches a person',
  scene: {},
  entries: [{ kind: 'message', text: '1' }],
  trace: ['ask', 'person', '=person'],
} as const

export const flowTestsApi = {
  list: get(path, {
    about: 'The saved tests of a flow. Publishing is refused while one of them takes another way',
    access: edit,
    params,
    reply: z.object({ tests: z.array(FlowTest) }),
  }),
  create: post(path, {
    about: 'Save a conversation of the test phone as a test',
    access: edit,
    params,
    bytes: bodyLimitBytes.longForm,
    body: FlowTestWrite,
    example,
    reply: FlowTest,
  }),
  update: put(`${path}/:testId`, {
    about: 'Change a test, or accept the way that it takes now',
    access: edit,
    params: testParams,
    bytes: bodyLimitBytes.longForm,
    body: FlowTestWrite,
    example,
    reply: FlowTest,
  }),
  remove: del(`${path}/:testId`, {
    about: 'Delete a test',
    access: edit,
    params: testParams,
    reply: messageReply,
  }),
}
