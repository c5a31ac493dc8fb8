import { Select } from '@mantine/core'
import { promptsApi } from '@recado/contract/ai/prompts'
import { integrationsApi } from '@recado/contract/integrations/integrations'
import { useQuery } from '@tanstack/react-query'
import { callApi } from '../../lib/api.ts'
import { useSession } from '../../lib/session.tsx'
import { defineTexts, useTexts } from '../../lib/texts.ts'
import { filterSelectOptions, toSelectOptions } from '../../ui/select-options.ts'
import { refetchOnOpen } from '../select-option-queries.ts'

const texts = defineTexts({
  es: {
    label: { prompt: 'Prompt de IA', integration: 'Integración' },
    none: { prompt: 'Ninguno', integration: 'Ninguna' },
    nothing: { prompt: 'Todavía no hay prompts.', integration: 'Todavía no hay integraciones.' },
    clear: { prompt: 'Quitar el prompt', integration: 'Quitar la integración' },
    failed: 'No pudimos cargar la lista.',
  },
  pt: {
    label: { prompt: 'Prompt de IA', integration: 'Integração' },
    none: { prompt: 'Nenhum', integration: 'Nenhuma' },
    nothing: { prompt: 'Ainda não há prompts.', integration: 'Ainda não há integrações.' },
    clear: { prompt: 'Remover o prompt', integration: 'Remover a integração' },
    failed: 'Não conseguimos carregar a lista.',
  },
  en: {
    label: { prompt: 'AI prompt', integration: 'Integration' },
    none: { prompt: 'None', integration: 'None' },
    nothing: { prompt: 'No prompts yet.', integration: 'No integrations yet.' },
    clear: { prompt: 'Remove the prompt', integration: 'Remove the integration' },
    failed: "We couldn't load the list.",
  },
})

export type AiOrIntegration = 'prompt' | 'integration'
const planFlags = { prompt: 'useOpenAi', integration: 'useIntegrations' } as const

/** The kinds of bots in the company's plan; forms hide the other kinds. */
export function useAiAndIntegrationsInPlan(): Record<AiOrIntegration, boolean> {
  const { plan } = useSession()
  return { prompt: plan?.[planFlags.prompt] === true, integration: plan?.[planFlags.integration] === true }
}

const readers: Record<AiOrIntegration, (signal: AbortSignal) => Promise<{ id: number; name: string }[]>> = {
  prompt: async (signal) => (await callApi(promptsApi.list, {}, { signal })).prompts,
  integration: async (signal) => (await callApi(integrationsApi.list, {}, { signal })).queueIntegrations,
}

type Props = { kind: AiOrIntegration; value: number | null; help: string; onChange: (id: number | null) => void }

/** Selects the bot that answers before people do: a prompt or an integration. */
export function AiOrIntegrationPicker({ kind, value, help, onChange }: Props) {
  const words = useTexts(texts)
  const query = useQuery({
    queryKey: ['machines', kind],
    queryFn: ({ signal }) => readers[kind](signal),
    ...refetchOnOpen,
  })
  const all = query.data ?? []
  const empty = query.data?.length === 0
  return (
    <Select
      label={words.label[kind]}
      placeholder={words.none[kind]}
      description={query.isError ? words.failed : empty ? words.nothing[kind] : help}
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      data={toSelectOptions(all)}
      filter={filterSelectOptions}
      searchable={all.length > 6}
      clearable
      clearButtonProps={{ 'aria-label': words.clear[kind] }}
      disabled={empty && value === null}
      comboboxProps={{ shadow: 'lg' }}
      value={value === null ? null : String(value)}
      onChange={(id) => onChange(id === null ? null : Number(id))}
    />
  )
}
