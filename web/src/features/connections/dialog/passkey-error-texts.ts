import { addErrorTexts, type PasskeyLinkErrorTexts } from '../../../lib/errors.ts'
import { defineTexts } from '../../../lib/texts.ts'

/** Error texts of linking with a passkey: no other screen can cause these errors. */
addErrorTexts(
  defineTexts<PasskeyLinkErrorTexts>({
    es: {
      ERR_WAPP_NO_PASSKEY: 'La línea ya no espera una llave de acceso. Pide un código nuevo.',
      ERR_PASSKEY_ADDRESS: 'Esta dirección ya se usó o venció. Crea otra.',
    },
    pt: {
      ERR_WAPP_NO_PASSKEY: 'A linha não espera mais uma chave de acesso. Peça um código novo.',
      ERR_PASSKEY_ADDRESS: 'Este endereço já foi usado ou venceu. Crie outro.',
    },
    en: {
      ERR_WAPP_NO_PASSKEY: 'The line is no longer waiting for a passkey. Get a new code.',
      ERR_PASSKEY_ADDRESS: 'This address was already used or has expired. Create another one.',
    },
  }),
)
