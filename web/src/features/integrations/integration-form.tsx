import { type Integration, IntegrationWrite, integrationsApi } from '@recado/contract/integrations/integrations'
import { callApi } from '../../lib/api.ts'
import { useTexts } from '../../lib/texts.ts'
import { CallLog } from '../../parts/integrations/call-log.tsx'
import { RecordForm } from '../../records/record-form.tsx'
import type { FormSlot } from '../../records/records-page.tsx'
import { writeRecord } from '../../records/write-record.ts'
import {
  findIntegrationProblems,
  type IntegrationFormValues,
  toIntegrationBody,
  toIntegrationFormValues,
} from './integration-form-values.ts'
import { IntegrationIcon } from './integration-icon.tsx'
import classes from './integrations.module.css'
import { texts } from './texts.ts'
import { useIntegrationFields } from './use-integration-fields.tsx'

/** The fields of the integration's type on the left, its last calls on the right (design q-integrations-form). */
export function IntegrationForm(slot: FormSlot<Integration>) {
  const { row } = slot
  const words = useTexts(texts)
  return (
    <RecordForm<IntegrationFormValues, Integration>
      {...slot}
      title={row?.name ?? words.words.create}
      {...(row && {
        subtitle: words.typed(words.types[row.type], row.id),
        mark: <IntegrationIcon type={row.type} size={28} />,
      })}
      words={words.words}
      schema={IntegrationWrite}
      initial={toIntegrationFormValues(row)}
      fields={useIntegrationFields(row)}
      check={findIntegrationProblems}
      write={(values, before) => writeRecord(integrationsApi, toIntegrationBody(values), before)}
      renderAside={() => (
        <div className={classes.aside}>
          {row ? (
            <CallLog
              of={['integration', row.id]}
              loadPage={(query, signal) =>
                callApi(integrationsApi.calls, { params: { id: row.id }, query }, { signal })
              }
            />
          ) : (
            <p className={classes.first}>{words.logLater}</p>
          )}
        </div>
      )}
    />
  )
}
