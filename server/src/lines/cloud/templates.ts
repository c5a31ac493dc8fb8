import type { Template, TemplateVariable } from '@recado/contract/cloud'
import type { Scope } from '../../kernel/data/scope.ts'
import { accountOf } from './account.ts'
import { type GraphPace, makeGraph } from './graph.ts'
import { troubleIn } from './link.ts'
import { type Loose, loose, looseList, said } from './loose.ts'
import { gap } from './template-text.ts'

export type Templates = { templates: Template[]; fetchedAt: string | null; problem: string }
export type AskTemplates = (scope: Scope, whatsappId: number, refresh: boolean) => Promise<Templates>

/** Approved today, paused tomorrow: what is older is asked for again. */
const freshMs = 15 * 60_000
/** Meta counts our questions: whoever asks again and again gets what was answered just now. */
const pauseMs = 10_000
const mostPages = 10

/** The templates of a line's account, from what was kept or from Meta. Any process may ask: it needs the token alone. */
export function templatesAt(graphUrl: string, pace: GraphPace): AskTemplates {
  return async (scope, whatsappId, refresh) => {
    const row = await scope.db
      .selectFrom('cloudLines')
      .select(['templates', 'templatesAt'])
      .where('companyId', '=', scope.companyId)
      .where('whatsappId', '=', whatsappId)
      .executeTakeFirst()
    const kept = { templates: row?.templates ?? [], fetchedAt: row?.templatesAt ?? null }
    const age = row?.templatesAt ? scope.now().getTime() - Date.parse(row.templatesAt) : Number.POSITIVE_INFINITY
    if (row?.templates && age < (refresh ? pauseMs : freshMs)) return { ...kept, problem: '' }
    const account = await accountOf(scope, whatsappId)
    if (!account?.accessToken || !account.businessAccountId) return { ...kept, problem: 'cloud-incomplete' }
    try {
      const templates = await fetchAll(graphUrl, pace, account)
      const fetchedAt = scope.now()
      await scope.db
        .updateTable('cloudLines')
        .set({ templates: JSON.stringify(templates), templatesAt: fetchedAt })
        .where('companyId', '=', scope.companyId)
        .where('whatsappId', '=', whatsappId)
        .execute()
      return { templates, fetchedAt: fetchedAt.toISOString(), problem: '' }
    } catch (error) {
      return { ...kept, problem: troubleIn(error) }
    }
  }
}

/** Meta changed one: they are asked for again when somebody wants them. */
export async function forgetTemplates(scope: Scope): Promise<void> {
  await scope.db.updateTable('cloudLines').set({ templatesAt: null }).where('companyId', '=', scope.companyId).execute()
}

type Reach = { accessToken: string; businessAccountId: string }

async function fetchAll(graphUrl: string, pace: GraphPace, account: Reach): Promise<Template[]> {
  const graph = makeGraph(graphUrl, account.accessToken, pace)
  const fields = 'id,name,language,status,category,parameter_format,components'
  const found: Template[] = []
  let after = ''
  for (let page = 0; page < mostPages; page++) {
    const query = `status=APPROVED&limit=100&fields=${fields}${after && `&after=${encodeURIComponent(after)}`}`
    const answer = loose(await graph.get(`${account.businessAccountId}/message_templates?${query}`))
    found.push(...looseList(answer.data).flatMap(templateOf))
    const paging = loose(answer.paging)
    after = paging.next ? said(loose(paging.cursors).after) : ''
    if (!after) break
  }
  return found.sort((a, b) => a.name.localeCompare(b.name) || a.language.localeCompare(b.language))
}

function templateOf(raw: Loose): Template[] {
  const [name, language] = [said(raw.name), said(raw.language)]
  if (!name || !language || said(raw.status).toUpperCase() !== 'APPROVED') return []
  const parts = looseList(raw.components)
  const components = parts.flatMap(componentOf)
  const category = said(raw.category).toLowerCase()
  return [
    {
      id: said(raw.id),
      name,
      language,
      category,
      components,
      variables: isForCodes(category, parts) ? [codeOf(parts)] : parts.flatMap(variablesOf),
      media: mediaOf(components),
      unsendable: unsendable(components),
    },
  ]
}

const types = ['header', 'body', 'footer', 'buttons'] as const
const formats = ['text', 'image', 'video', 'document', 'location'] as const

function componentOf(part: Loose): Template['components'] {
  const type = types.find((t) => t === said(part.type).toLowerCase())
  if (!type) return []
  const format = formats.find((f) => f === said(part.format).toLowerCase()) ?? null
  const buttons = looseList(part.buttons).map((b) => ({
    type: said(b.type).toLowerCase(),
    text: said(b.text),
    url: said(b.url),
  }))
  return [{ type, format: type === 'header' ? format : null, text: said(part.text), buttons }]
}

function variablesOf(part: Loose): TemplateVariable[] {
  const type = said(part.type).toLowerCase()
  if (type === 'header' || type === 'body') {
    const names = [...new Set([...said(part.text).matchAll(gap)].map(([, name]) => name as string))]
    return names.map((name, n) => ({ key: `${type}.${name}`, in: type, name, example: exampleOf(part, name, n) }))
  }
  return looseList(part.buttons).flatMap((button, n) => {
    if (isCoupon(button))
      return [{ key: `button.${n}`, in: 'button' as const, name: said(button.text), example: firstOf(button.example) }]
    const [name] = [...said(button.url).matchAll(gap)].map(([, word]) => word as string)
    return name
      ? [{ key: `button.${n}`, in: 'button' as const, name: said(button.text), example: firstOf(button.example) }]
      : []
  })
}

/** Meta writes an example alone or as a list. */
const firstOf = (example: unknown): string => said(Array.isArray(example) ? example[0] : example)
const isCoupon = (button: Loose): boolean => said(button.type).toLowerCase() === 'copy_code'

/** A one-time code: made as a button of a kind of its own, which Meta tells as an address with the code at its end. */
const isForCodes = (category: string, parts: Loose[]): boolean =>
  category === 'authentication' && parts.some((part) => looseList(part.buttons).length > 0)

/** One gap for both places: Meta wants the same code in the text and in the button. */
function codeOf(parts: Loose[]): TemplateVariable {
  const body = parts.find((part) => said(part.type).toLowerCase() === 'body') ?? {}
  return { key: 'code', in: 'code', name: 'code', example: exampleOf(body, '1', 0) }
}

/** Meta writes examples differently for numbered and named gaps, and for headers. */
function exampleOf(part: Loose, name: string, n: number): string {
  const example = loose(part.example)
  const named = [...looseList(example.body_text_named_params), ...looseList(example.header_text_named_params)]
  const own = named.find((one) => said(one.param_name) === name)
  if (own) return said(own.example)
  const [listed] = [example.body_text, example.header_text].filter(Array.isArray) as unknown[][]
  const row = Array.isArray(listed?.[0]) ? (listed[0] as unknown[]) : listed
  return said(row?.[n])
}

/** Buttons that need something of their own when they are sent, and which nobody here can give. */
const hardButtons = ['catalog', 'mpm', 'spm', 'flow', 'order_details', 'voice_call']

const headerOf = (components: Template['components']) => components.find((c) => c.type === 'header')?.format ?? null

function mediaOf(components: Template['components']): Template['media'] {
  const format = headerOf(components)
  return format === 'text' || format === 'location' ? null : format
}

function unsendable(components: Template['components']): Template['unsendable'] {
  if (headerOf(components) === 'location') return 'location-header'
  return components.some((c) => c.buttons.some((b) => hardButtons.includes(b.type))) ? 'button' : ''
}
