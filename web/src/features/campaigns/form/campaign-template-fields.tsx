import { Select, TextInput } from '@mantine/core'
import type { CampaignDetail } from '@recado/contract/campaigns/campaigns'
import { campaignVariableNames } from '@recado/contract/campaigns/texts'
import { templatesApi } from '@recado/contract/cloud'
import { useQuery } from '@tanstack/react-query'
import { callApi } from '../../../lib/api.ts'
import { useErrorText } from '../../../lib/errors.ts'
import { useLanguage, useTexts } from '../../../lib/texts.ts'
import { InlineNotice } from '../../../ui/inline-notice.tsx'
import { filterSelectOptions } from '../../../ui/select-options.ts'
import classes from './form.module.css'
import { texts } from './texts.ts'

type CampaignTemplate = CampaignDetail['template']
type Props = {
  whatsappId: number
  value: CampaignTemplate
  readOnly: boolean
  onChange: (template: CampaignTemplate) => void
}

/** On an official line: the approved template and its placeholder values, which may contain variables. */
export function CampaignTemplateFields({ whatsappId, value, readOnly, onChange }: Props) {
  const words = useTexts(texts)
  const [language] = useLanguage()
  const errorText = useErrorText()
  const query = useQuery({
    queryKey: ['templates', whatsappId],
    queryFn: ({ signal }) => callApi(templatesApi.list, { query: { whatsappId, refresh: false } }, { signal }),
  })
  const sendableTemplates = (query.data?.templates ?? []).filter(({ unsendable }) => unsendable === '')
  const keyOf = (one: { name: string; language: string }) => `${one.name} ${one.language}`
  const template = value && sendableTemplates.find((one) => keyOf(one) === keyOf(value))
  const body = template?.components.find(({ type }) => type === 'body')?.text
  return (
    <div className={classes.stack} data-field="template">
      {query.isError && <InlineNotice kind="danger">{errorText(query.error)}</InlineNotice>}
      <Select
        label={words.template}
        withAsterisk
        disabled={readOnly || query.isPending}
        searchable
        filter={filterSelectOptions}
        allowDeselect={false}
        comboboxProps={{ shadow: 'lg' }}
        placeholder={query.isSuccess && sendableTemplates.length === 0 ? words.noTemplates : words.chooseTemplate}
        data={sendableTemplates.map((one) => ({ value: keyOf(one), label: `${one.name} · ${one.language}` }))}
        value={value ? keyOf(value) : null}
        onChange={(key) => {
          const next = sendableTemplates.find((one) => keyOf(one) === key)
          onChange(next ? { name: next.name, language: next.language, variables: {} } : null)
        }}
      />
      {body && <p className={classes.template}>{body}</p>}
      {value &&
        template?.variables.map(({ key, name, example }) => (
          <TextInput
            key={key}
            label={words.gap(name)}
            required
            readOnly={readOnly}
            maxLength={1024}
            autoComplete="off"
            placeholder={example ? words.example(example) : `{${campaignVariableNames[language].nome}}`}
            description={words.gapHelp}
            inputWrapperOrder={['label', 'input', 'description']}
            value={value.variables[key] ?? ''}
            onChange={(event) =>
              onChange({ ...value, variables: { ...value.variables, [key]: event.currentTarget.value } })
            }
          />
        ))}
    </div>
  )
}
