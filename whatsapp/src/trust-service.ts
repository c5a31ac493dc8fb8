/**
 * Preloaded into another process, so that its client trusts the service without code of its own:
 * `LOCAL_WHATSAPP='<JSON of service.credentials>' node --import @recado/whatsapp/trusted …`
 */
import './silence-libsignal.ts'
import { trustService } from './credentials.ts'

if (process.env.LOCAL_WHATSAPP) trustService(JSON.parse(process.env.LOCAL_WHATSAPP))
