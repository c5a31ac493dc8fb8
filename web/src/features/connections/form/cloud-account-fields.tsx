import { TextInput } from '@mantine/core'
import type { CloudAccount, CloudAccountWrite } from '@recado/contract/cloud'
import { IconCheck } from '@tabler/icons-react'
import { lazy, type ReactNode, Suspense } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { InlineNotice } from '../../../ui/inline-notice.tsx'
import { SecretInput } from '../../../ui/secret-input.tsx'
import { FieldError } from '../../../ui/text-field.tsx'
import { CloudWebhookInfo } from '../dialog/cloud-webhook-info.tsx'
import { lineFormTexts } from './line-form-texts.ts'
import classes from './provider-field.module.css'

// In one file with the dialog that it opens, so that both share one download.
const SignupOffer = lazy(() =>
  import('../signup/line-signup-dialog.tsx').then((module) => ({ default: module.SignupOffer })),
)

export type CloudAccountValues = CloudAccountWrite

type Props = {
  values: CloudAccountValues
  /** The stored account; null for a line that is not on the official API yet. */
  storedAccount: CloudAccount | null
  errors: Record<string, ReactNode>
  onChange: (values: CloudAccountValues) => void
  onSignup: () => void
}
const inputOrder = ['label', 'input', 'error', 'description'] as const

/** The Meta account. Secrets are write-only: only their presence is shown. */
export function CloudAccountFields({ values, storedAccount, errors, onChange, onSignup }: Props) {
  const words = useTexts(lineFormTexts)
  const bound = (name: keyof CloudAccountValues, label: string, help: string) => ({
    label,
    description: help,
    inputWrapperOrder: [...inputOrder],
    autoComplete: 'off',
    value: values[name],
    error: errors[`cloud.${name}`] && <FieldError>{errors[`cloud.${name}`]}</FieldError>,
    onChange: (event: { currentTarget: { value: string } }) =>
      onChange({ ...values, [name]: event.currentTarget.value }),
  })
  const secret = (isSet: boolean | undefined) => ({
    autoComplete: 'new-password',
    placeholder: isSet ? words.isSet : '',
    visibilityToggleButtonProps: { tabIndex: 0, 'aria-label': words.showSecret },
    ...(isSet && { leftSection: <IconCheck size={16} stroke={2} aria-hidden="true" className={classes.set ?? ''} /> }),
  })
  const id = { inputMode: 'numeric' as const, maxLength: 40 }
  return (
    <div className={classes.cloud}>
      <Suspense fallback={null}>
        <SignupOffer isConnected={storedAccount?.viaSignup ?? false} onSignup={onSignup} />
      </Suspense>
      <div className={classes.pair}>
        <TextInput {...bound('phoneNumberId', words.phoneNumberId, words.phoneNumberIdHelp)} {...id} />
        <TextInput {...bound('businessAccountId', words.businessAccountId, words.businessAccountIdHelp)} {...id} />
      </div>
      <SecretInput
        {...bound('accessToken', words.accessToken, words.accessTokenHelp)}
        {...secret(storedAccount?.hasAccessToken)}
        maxLength={1024}
      />
      <SecretInput
        {...bound('appSecret', words.appSecret, words.appSecretHelp)}
        {...secret(storedAccount?.hasAppSecret)}
        maxLength={1024}
      />
      <TextInput
        {...bound('verifyToken', words.verifyToken, storedAccount ? words.verifyTokenHelp : words.verifyTokenNew)}
        maxLength={200}
      />
      {storedAccount?.viaSignup ? null : storedAccount ? (
        <CloudWebhookInfo
          account={{
            webhookUrl: storedAccount.webhookUrl,
            verifyToken: values.verifyToken || storedAccount.verifyToken,
          }}
        />
      ) : (
        <InlineNotice kind="info">{words.webhookLater}</InlineNotice>
      )}
    </div>
  )
}
