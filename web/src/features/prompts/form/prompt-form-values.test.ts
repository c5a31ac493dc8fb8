import { promptDefaults } from '@recado/contract/ai/prompts'
import { expect, it } from 'vitest'
import { toPromptBody, toPromptFormValues } from './prompt-form-values.ts'
import { texts } from './texts.ts'

it.each(['es', 'pt', 'en'] as const)(
  'begins a new prompt in %s with the operator’s model, an example, 600 tokens and a low temperature',
  (language) => {
    const values = toPromptFormValues(null, texts[language].example, { model: 'house-model', ...promptDefaults })
    expect(toPromptBody({ ...values, name: 'Ventas', queueId: '1' })).toMatchObject({
      model: 'house-model',
      maxTokens: 600,
      temperature: 0.3,
    })
    expect(values.prompt.length).toBeGreaterThan(100)
  },
)
