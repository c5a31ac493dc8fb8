import { NativeSelect, TextInput } from '@mantine/core'
import type { CallStep } from '@recado/contract/flows/flow-steps'
import { isMaskedSecret } from '@recado/contract/settings'
import { useState } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { SecretInput } from '../../../ui/secret-input.tsx'
import { KeptParts } from '../rules/editor/kept-parts.tsx'
import { FlowTextField } from './flow-text-field.tsx'
import classes from './panel.module.css'
import type { FieldsProps } from './panel-context.ts'
import { hasMaskedHeaders, originOf, withoutMaskedHeaders } from './secret-headers.ts'
import { stepPanelTexts } from './texts.ts'
import { AddButton, FieldGroup, RemoveButton } from './value-fields.tsx'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
/** The address up to the path is fixed, see `CallStep`. */
const urlPattern = /^$|^https?:\/\/[^\s/?#{}\\@]{1,253}([/?#]|$)/i

export function CallFields({ step, panel, onChange }: FieldsProps<'call'>) {
  const words = useTexts(stepPanelTexts)
  return (
    <>
      <UrlFields step={step} panel={panel} onChange={onChange} />
      <HeaderList step={step} onChange={onChange} />
      {step.method !== 'GET' && (
        <FlowTextField
          label={words.body}
          help={words.bodyHelp}
          limit={10_000}
          variables={panel.variables}
          value={step.body}
          onChange={(body) => onChange({ ...step, body })}
        />
      )}
      <FieldGroup label={words.keep} help={words.keepHelp}>
        <KeptParts parts={step.keep} onChange={(keep) => onChange({ ...step, keep })} />
      </FieldGroup>
    </>
  )
}

function UrlFields({ step, panel, onChange }: FieldsProps<'call'>) {
  const words = useTexts(stepPanelTexts)
  const [typed, setTyped] = useState<string | null>(null)
  const [areHeadersCleared, setHeadersCleared] = useState(false)
  const url = typed ?? step.url
  const isBad = !urlPattern.test(url.trim())
  const changeUrl = (next: string) => {
    const trimmed = next.trim()
    // An address that the server would refuse stays in the field only.
    if (!urlPattern.test(trimmed)) return setTyped(next)
    setTyped(null)
    const isSameServer = originOf(trimmed) === originOf(step.url)
    if (!isSameServer && hasMaskedHeaders(step)) setHeadersCleared(true)
    onChange({ ...(isSameServer ? step : withoutMaskedHeaders(step)), url: trimmed })
  }
  return (
    <>
      <NativeSelect
        label={words.method}
        data={[...methods]}
        value={step.method}
        onChange={({ currentTarget: { value } }) => onChange({ ...step, method: value as CallStep['method'] })}
      />
      <FlowTextField
        label={words.url}
        help={areHeadersCleared ? words.headersCleared : words.urlHelp}
        limit={2000}
        rows={1}
        variables={panel.variables}
        value={url}
        error={isBad ? words.badUrl : url.trim() === '' ? words.required : undefined}
        onChange={changeUrl}
      />
    </>
  )
}

const maxHeaders = 20
const headerPattern = /^[a-z0-9-]{1,60}$/i

function unusedHeader(headers: CallStep['headers']): string {
  const names = headers.map(({ name }) => name.toLowerCase())
  if (!names.includes('authorization')) return 'Authorization'
  for (let n = names.length + 1; ; n++) if (!names.includes(`x-header-${n}`)) return `X-Header-${n}`
}

type HeaderProps = { step: CallStep; onChange: (step: CallStep) => void }
function HeaderList({ step, onChange }: HeaderProps) {
  const words = useTexts(stepPanelTexts)
  const { headers } = step
  return (
    <FieldGroup label={words.headers} {...(headers.length > 0 && { help: words.headersHelp })}>
      {headers.length > 0 && (
        <ul className={classes.list}>
          {headers.map((header, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: headers have no id and are not reordered
            <li key={i} className={classes.item}>
              <div className={classes.wide}>
                <HeaderFields
                  n={i + 1}
                  header={header}
                  onChange={(next) => onChange({ ...step, headers: headers.with(i, next) })}
                />
              </div>
              <RemoveButton
                name={header.name}
                onClick={() => onChange({ ...step, headers: headers.toSpliced(i, 1) })}
              />
            </li>
          ))}
        </ul>
      )}
      <AddButton
        disabled={headers.length >= maxHeaders}
        onClick={() => onChange({ ...step, headers: [...headers, { name: unusedHeader(headers), value: '' }] })}
      >
        {words.addHeader}
      </AddButton>
    </FieldGroup>
  )
}

type Header = CallStep['headers'][number]
function HeaderFields({ n, header, onChange }: { n: number; header: Header; onChange: (header: Header) => void }) {
  const words = useTexts(stepPanelTexts)
  const [typed, setTyped] = useState<string | null>(null)
  const isMasked = isMaskedSecret(header.value)
  const rename = (name: string) => {
    setTyped(name)
    // The server finds a masked value by its header's name.
    if (headerPattern.test(name.trim())) onChange({ name: name.trim(), value: isMasked ? '' : header.value })
  }
  return (
    <>
      <TextInput
        aria-label={words.header(n)}
        maxLength={60}
        value={typed ?? header.name}
        error={typed !== null && !headerPattern.test(typed.trim()) ? words.badHeader : undefined}
        onChange={(event) => rename(event.currentTarget.value)}
        onBlur={() => setTyped(null)}
      />
      <SecretInput
        aria-label={words.headerValue(n)}
        maxLength={1000}
        autoComplete="new-password"
        value={header.value}
        onChange={({ currentTarget: { value } }) =>
          // A masked value that is edited would be kept as it was: the new one replaces it.
          onChange({ ...header, value: isMasked ? value.replaceAll('•', '') : value })
        }
      />
    </>
  )
}
