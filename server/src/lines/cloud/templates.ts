import type { Template, TemplateVariable } from '@recado/contract/cloud'
import type { Scope } from '../../kernel/data/scope.ts'
import { loadCloudAccount } from './account.ts'
import { toLineReason } from './cloud-link.ts'
import { type GraphTimings, makeGraphClient } from './graph-client.ts'
import { placeholderPattern } from './template-text.ts'
import { asJsonObject, asJsonObjects, asText, type JsonObject } from './untyped-json.ts'

export type LoadedTemplates = { templates: Template[]; fetchedAt: string | null; problem: string }
export type LoadTemplates = (scope: Scope, whatsappId: number, refresh: boolean) => Promise<LoadedTemplates>

/** Approvals change, so a list older than this is requested again. */
const templatesTtlMs = 15 * 60_000
/** Meta limits our requests: within this time, further calls get the list that was just received. */
const minRefreshMs = 10_000
const maxPages = 10

/** The templates of a line's account, from the cache or from Meta. Any process may request them: only the token is needed. */
export function makeTemplateLoader(graphUrl: string, pace: GraphTimings): LoadTemplates {
  return async (scope, whatsappId, refresh) => {
    const cached = await loadStoredTemplates(scope, whatsappId, false)
    const age = cached.fetchedAt ? scope.now().getTime() - Date.parse(cached.fetchedAt) : Number.POSITIVE_INFINITY
    if (age < (refresh ? minRefreshMs : templatesTtlMs)) return cached
    const account = await loadCloudAccount(scope, whatsappId)
    if (!account?.accessToken || !account.businessAccountId) return { ...cached, problem: 'cloud-incomplete' }
    try {
      const templates = await fetchTemplates(graphUrl, pace, account)
      const fetchedAt = scope.now()
      await scope.db
        .updateTable('cloudLines')
        .set({ templates: JSON.stringify(templates), templatesAt: fetchedAt })
        .where('companyId', '=', scope.companyId)
        .where('whatsappId', '=', whatsappId)
        .execute()
      return { templates, fetchedAt: fetchedAt.toISOString(), problem: '' }
    } catch (error) {
      return { ...cached, problem: toLineReason(error) }
    }
  }
}

/** The templates as they were last received, for senders that must not wait for Meta, such as an open transaction. */
export const loadStoredTemplates: LoadTemplates = async (scope, whatsappId) => {
  const row = await scope.db
    .selectFrom('cloudLines')
    .select(['templates', 'templatesAt'])
    .where('companyId', '=', scope.companyId)
    .where('whatsappId', '=', whatsappId)
    .executeTakeFirst()
  return { templates: row?.templates ?? [], fetchedAt: row?.templatesAt ?? null, problem: '' }
}

/** Marks the stored templates as outdated when Meta changed one: the list is requested again when it is next needed. */
export async function expireTemplates(scope: Scope): Promise<void> {
  await scope.db.updateTable('cloudLines').set({ templatesAt: null }).where('companyId', '=', scope.companyId).execute()
}

type TemplateAccount = { accessToken: string; businessAccountId: string }

async function fetchTemplates(graphUrl: string, pace: GraphTimings, account: TemplateAccount): Promise<Template[]> {
  const graph = makeGraphClient(graphUrl, account.accessToken, pace)
  const fields = 'id,name,language,status,category,parameter_format,components'
  const templates: Template[] = []
  let after = ''
  for (let page = 0; page < maxPages; page++) {
    const query = `status=APPROVED&limit=100&fields=${fields}${after && `&after=${encodeURIComponent(after)}`}`
    const answer = asJsonObject(await graph.get(`${account.businessAccountId}/message_templates?${query}`))
    templates.push(...asJsonObjects(answer.data).flatMap(parseTemplate))
    const paging = asJsonObject(answer.paging)
    after = paging.next ? asText(asJsonObject(paging.cursors).after) : ''
    if (!after) break
  }
  return templates.sort((a, b) => a.name.localeCompare(b.name) || a.language.localeCompare(b.language))
}

function parseTemplate(raw: JsonObject): Template[] {
  const [name, language] = [asText(raw.name), asText(raw.language)]
  if (!name || !language || asText(raw.status).toUpperCase() !== 'APPROVED') return []
  const parts = asJsonObjects(raw.components)
  const components = parts.flatMap(parseComponent)
  const category = asText(raw.category).toLowerCase()
  return [
    {
      id: asText(raw.id),
      name,
      language,
      category,
      components,
      variables: isForCodes(category, parts) ? [buildCodeVariable(parts)] : parts.flatMap(parseVariables),
      media: headerMedia(components),
      unsendable: findUnsendableReason(components),
    },
  ]
}

const types = ['header', 'body', 'footer', 'buttons'] as const
const formats = ['text', 'image', 'video', 'document', 'location'] as const

function parseComponent(part: JsonObject): Template['components'] {
  const type = types.find((t) => t === asText(part.type).toLowerCase())
  if (!type) return []
  const format = formats.find((f) => f === asText(part.format).toLowerCase()) ?? null
  const buttons = asJsonObjects(part.buttons).map((b) => ({
    type: asText(b.type).toLowerCase(),
    text: asText(b.text),
    url: asText(b.url),
  }))
  return [{ type, format: type === 'header' ? format : null, text: asText(part.text), buttons }]
}

function parseVariables(part: JsonObject): TemplateVariable[] {
  const type = asText(part.type).toLowerCase()
  if (type === 'header' || type === 'body') {
    const names = [...new Set([...asText(part.text).matchAll(placeholderPattern)].map(([, name]) => name as string))]
    return names.map((name, n) => ({ key: `${type}.${name}`, in: type, name, example: findExample(part, name, n) }))
  }
  return asJsonObjects(part.buttons).flatMap((button, n) => {
    if (isCoupon(button))
      return [
        { key: `button.${n}`, in: 'button' as const, name: asText(button.text), example: firstExample(button.example) },
      ]
    const [name] = [...asText(button.url).matchAll(placeholderPattern)].map(([, word]) => word as string)
    return name
      ? [
          {
            key: `button.${n}`,
            in: 'button' as const,
            name: asText(button.text),
            example: firstExample(button.example),
          },
        ]
      : []
  })
}

/** Meta writes an example as a value or as a list. */
const firstExample = (example: unknown): string => asText(Array.isArray(example) ? example[0] : example)
const isCoupon = (button: JsonObject): boolean => asText(button.type).toLowerCase() === 'copy_code'

/** Whether the template is for one-time codes. Their special button is returned by Meta as a URL with the code. */
const isForCodes = (category: string, parts: JsonObject[]): boolean =>
  category === 'authentication' && parts.some((part) => asJsonObjects(part.buttons).length > 0)

/** The variable for a one-time code: Meta requires the same code in the text and in the button. */
function buildCodeVariable(parts: JsonObject[]): TemplateVariable {
  const body = parts.find((part) => asText(part.type).toLowerCase() === 'body') ?? {}
  return { key: 'code', in: 'code', name: 'code', example: findExample(body, '1', 0) }
}

/** Meta writes examples differently for numbered and named variables, and for headers. */
function findExample(part: JsonObject, name: string, n: number): string {
  const example = asJsonObject(part.example)
  const named = [...asJsonObjects(example.body_text_named_params), ...asJsonObjects(example.header_text_named_params)]
  const own = named.find((one) => asText(one.param_name) === name)
  if (own) return asText(own.example)
  const [listed] = [example.body_text, example.header_text].filter(Array.isArray) as unknown[][]
  const row = Array.isArray(listed?.[0]) ? (listed[0] as unknown[]) : listed
  return asText(row?.[n])
}

/** Buttons that need extra data when sent, which is not supported here. */
const unsupportedButtons = ['catalog', 'mpm', 'spm', 'flow', 'order_details', 'voice_call']

const headerFormat = (components: Template['components']) => components.find((c) => c.type === 'header')?.format ?? null

function headerMedia(components: Template['components']): Template['media'] {
  const format = headerFormat(components)
  return format === 'text' || format === 'location' ? null : format
}

function findUnsendableReason(components: Template['components']): Template['unsendable'] {
  if (headerFormat(components) === 'location') return 'location-header'
  return components.some((c) => c.buttons.some((b) => unsupportedButtons.includes(b.type))) ? 'button' : ''
}
