import { Button, NativeSelect, TextInput } from '@mantine/core'
import { type Template, templatesApi } from '@recado/contract/cloud'
import type { SayStep } from '@recado/contract/flows/flow-steps'
import { lineTraits } from '@recado/contract/line-traits'
import { useQueries } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { callApi } from '../../../../lib/api.ts'
import { useTexts } from '../../../../lib/texts.ts'
import { useLines } from '../../../../parts/line/use-lines.ts'
import { keepEscape } from '../../../../parts/token/choice-list.tsx'
import { TokenPopover } from '../../../../parts/token/token.tsx'
import { encodeVariables, nameVariables } from '../../../../parts/variable-names.ts'
import classes from './editor.module.css'
import { ruleEditorTexts } from './texts.ts'

const keyOf = ({ name, language }: { name: string; language: string }) => `${name} ${language}`

type Props = {
  step: SayStep
  text: string
  /** What stands before it, where it is no part of a sentence. */
  lead?: ReactNode
  onChange: (step: SayStep) => void
}

/** The template that is sent instead when the customer has been silent for too long; only with an official line. */
export function TemplateToken({ step, text, lead, onChange }: Props) {
  const words = useTexts(ruleEditorTexts)
  const templates = useSendableTemplates()
  const { template } = step
  if (templates.length === 0) return template && <span>{text}</span>
  const chosen = template && templates.find((one) => keyOf(one) === keyOf(template))
  const choose = (key: string) => {
    const next = templates.find((one) => keyOf(one) === key)
    onChange({ ...step, template: next ? { name: next.name, language: next.language, variables: {} } : null })
  }
  const missing = chosen ? chosen.variables.some(({ key }) => !template?.variables[key]?.trim()) : template !== null
  const token = (
    <TokenPopover label={words.template} text={text} isInvalid={missing} width={340}>
      {(close) => (
        <div className={classes.popover} {...keepEscape}>
          <NativeSelect
            label={words.template}
            description={words.templateHelp}
            value={template ? keyOf(template) : ''}
            data={[
              { value: '', label: words.noTemplate },
              ...templates.map((one) => ({ value: keyOf(one), label: `${one.name} · ${one.language}` })),
            ]}
            onChange={(event) => choose(event.currentTarget.value)}
          />
          {template &&
            chosen?.variables.map(({ key, name, example }) => (
              <TextInput
                key={key}
                label={`{{${name}}}`}
                placeholder={example}
                maxLength={1024}
                value={nameVariables(template.variables[key] ?? '')}
                onChange={(event) =>
                  onChange({
                    ...step,
                    template: {
                      ...template,
                      variables: { ...template.variables, [key]: encodeVariables(event.currentTarget.value) },
                    },
                  })
                }
              />
            ))}
          <Button size="xs" variant="light" onClick={close}>
            {words.done}
          </Button>
        </div>
      )}
    </TokenPopover>
  )
  return lead ? (
    <div>
      {lead} {token}
    </div>
  ) : (
    token
  )
}

/** The approved templates of all official lines that need no file. */
function useSendableTemplates(): Template[] {
  const { data: lines = [] } = useLines()
  const official = lines.filter(({ provider }) => lineTraits[provider].window)
  const replies = useQueries({
    queries: official.map(({ id }) => ({
      queryKey: ['templates', id],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        callApi(templatesApi.list, { query: { whatsappId: id, refresh: false } }, { signal }),
    })),
  })
  const all = replies.flatMap(({ data }) => data?.templates ?? [])
  const sendable = all.filter(({ media, unsendable }) => media === null && unsendable === '')
  return [...new Map(sendable.map((one) => [keyOf(one), one])).values()]
}
