// SpeechClassic
